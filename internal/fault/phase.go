package fault

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

func isProbe(ex Exchange) bool  { return ex.Phase() == eventlog.Probe }
func isHelper(ex Exchange) bool { return ex.Phase() == eventlog.Helper }
