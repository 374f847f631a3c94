package main

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// kind is one client: a library, and how it is set up.
type kind struct {
	name     string
	module   string // of the library; empty = the standard library's net/http
	settings map[string]string
	can      []string
	client   func(first adapter.Operation) adapter.Client
}

// known are the clients, each pair in its library's file.
var known = slices.Concat(netHTTP, netHTTPD, retryableHTTP, restyClients, failsafeClients, backoffClients, fastHTTP)

func find(name string) (kind, bool) {
	i := slices.IndexFunc(known, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, false
	}
	return known[i], true
}

func (k kind) hello() adapter.Hello {
	return adapter.Hello{Name: k.program(), Version: k.version(), Settings: k.settings, Capabilities: k.can}
}

func (k kind) program() string {
	if k.module == "" {
		return "net/http"
	}
	return strings.TrimPrefix(k.module, "github.com/")
}

// version is the one that is linked in.
func (k kind) version() string {
	if k.module == "" {
		return strings.TrimPrefix(runtime.Version(), "go")
	}
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == k.module {
			return dep.Version
		}
	}
	return "unknown"
}

// What clients on net/http can be asked for; slots are a semaphore around the
// library, which only the bounded ones have.
var (
	onNetHTTP = []string{adapter.CanCancel, adapter.CanPool, adapter.CanAttempts, adapter.CanBody}
	pausing   = append(slices.Clone(onNetHTTP), adapter.CanBackoff)
	bounded   = append(slices.Clone(pausing), adapter.CanSlots, adapter.CanCallerDeadline)
)
