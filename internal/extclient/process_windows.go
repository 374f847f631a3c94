package extclient

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job: the process and everything that it starts. Windows ends them
// all when the bench's handle is closed, also by the bench's death.
type group struct {
	job windows.Handle
	pid uint32
}

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	return &group{}
}

// started puts the process into its job. Without a job only the process itself
// can be ended.
func (g *group) started(cmd *exec.Cmd) {
	g.pid = uint32(cmd.Process.Pid)
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = g.assign(job)
	}
	if err != nil {
		windows.CloseHandle(job)
		return
	}
	g.job = job
}

func (g *group) assign(job windows.Handle) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, g.pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// terminate asks as Ctrl-Break does; kill does not ask.
func (g *group) terminate() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, g.pid) }

func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return
	}
	if process, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, g.pid); err == nil {
		_ = windows.TerminateProcess(process, 1)
		windows.CloseHandle(process)
	}
}

func (g *group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}

// endedBy is empty: Windows has no signals.
func endedBy(*exec.Cmd) string { return "" }
