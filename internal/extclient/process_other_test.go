//go:build !linux

package extclient

import "os/exec"

func ownSession(*exec.Cmd) {}
