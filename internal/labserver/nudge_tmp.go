package labserver

import "time"

type nudger interface{ At(time.Time) }

type noNudge struct{}

func (noNudge) At(time.Time) {}
