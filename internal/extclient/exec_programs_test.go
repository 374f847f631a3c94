package extclient

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

func init() {
	programs["say"] = func(args []string) { fmt.Println(args[0]); exit(args[1]) }
	programs["complain"] = func(args []string) { fmt.Fprintln(os.Stderr, args[0]); exit(args[1]) }
	programs["environment"] = func(args []string) { fmt.Println("deadlinelab:" + os.Getenv("DEADLINELAB_"+args[0])) }
	programs["flood"] = func(args []string) { flood(args[0]) }
	programs["rest"] = func([]string) { ready(); forever() }
	programs["on-term"] = onTerm
	programs["ignore-term"] = func([]string) { signal.Ignore(syscall.SIGTERM); ready(); forever() }
	programs["parent"] = parent
	programs["child"] = func([]string) { ready(); forever() }
}

func forever() { time.Sleep(time.Hour) }

func exit(status string) {
	n, _ := strconv.Atoi(status)
	os.Exit(n)
}

// ready says that the process is where the test wants it, with its number.
func ready() {
	if name := os.Getenv("FOREIGN_TEST_READY"); name != "" {
		_ = os.WriteFile(name+".new", []byte(strconv.Itoa(os.Getpid())), 0o644)
		_ = os.Rename(name+".new", name)
	}
}

// flood writes to a stream until it is killed.
func flood(stream string) {
	to, block := os.Stdout, bytes.Repeat([]byte("x"), 1<<16)
	if stream == "2" {
		to = os.Stderr
	}
	for {
		if _, err := to.Write(block); err != nil {
			forever()
		}
	}
}

// onTerm ends with a status after SIGTERM; with 0 it prints what a success prints.
func onTerm(args []string) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGTERM)
	ready()
	<-heard
	if args[0] == "0" {
		fmt.Println("deadlinelab:" + os.Getenv("DEADLINELAB_ID"))
	}
	exit(args[0])
}

// parent starts a child that keeps its output open and ends before it, with what
// a success prints; "session" gives the child a session of its own.
func parent(args []string) {
	c := exec.Command(self, "as", "child")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if args[0] == "session" {
		ownSession(c)
	}
	if err := c.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(98)
	}
	for os.Getenv("FOREIGN_TEST_READY") != "" {
		if _, err := os.Stat(os.Getenv("FOREIGN_TEST_READY")); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println("deadlinelab:" + os.Getenv("DEADLINELAB_ID"))
	if len(args) > 1 && args[1] == "stay" {
		forever()
	}
}
