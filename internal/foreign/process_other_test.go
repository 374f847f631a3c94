//go:build !linux

package foreign

import "os/exec"

func ownSession(*exec.Cmd) {}
