package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownClient is the program `myclient` of the scripts: a client that somebody
// brings along, good or broken.
func ownClient() {
	args := append(os.Args[1:], "", "", "")
	switch args[0] {
	case "--version":
		fmt.Println("myclient 1.2.3")
	case "get":
		os.Exit(get(args[1], args[2]))
	case "mangles":
		get(strings.TrimSuffix(args[1], "/")+"x/", "")
		os.Exit(get(args[1], ""))
	case "garbage":
		fmt.Print("\x00\xff{]\n")
	case "fail":
		fmt.Fprintln(os.Stderr, "no idea")
		os.Exit(atoi(args[1]))
	case "flood":
		block := bytes.Repeat([]byte("x"), 1<<20)
		for range 1 << 10 {
			os.Stdout.Write(block)
		}
	case "die":
		fmt.Fprintln(os.Stderr, "last words")
		_ = signalSelf(syscall.SIGKILL)
		time.Sleep(time.Hour)
	}
}

// signalSelf ends the process as somebody else would.
func signalSelf(s os.Signal) error {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	return p.Signal(s)
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// get prints the body; 28 = the limit in milliseconds has passed, 7 = anything
// else went wrong, 5 = a proxy is set.
func get(url, limitMs string) int {
	if os.Getenv("HTTP_PROXY") != "" || os.Getenv("http_proxy") != "" {
		return 5
	}
	c := http.Client{Timeout: time.Duration(atoi(limitMs)) * time.Millisecond}
	resp, err := c.Get(url)
	if err == nil {
		defer resp.Body.Close()
		_, err = io.Copy(os.Stdout, resp.Body)
	}
	switch {
	case os.IsTimeout(err):
		return 28
	case err != nil:
		return 7
	}
	return 0
}
