package chromium

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// Seen is what the pages of a tab have done.
type Seen struct {
	mu       sync.Mutex
	requests []string
	problems []string
}

// Requests are the addresses that were asked for, without data: and blob:,
// which ask nobody.
func (s *Seen) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Problems are the errors and warnings on the console, those of the browser
// itself (such as a policy that was broken), and uncaught exceptions.
func (s *Seen) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

func (s *Seen) event(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") {
			s.requests = append(s.requests, url)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			s.problems = append(s.problems, fmt.Sprintf("console.%s: %s", e.Type, words(e.Args)))
		}
	case *runtime.EventExceptionThrown:
		s.problems = append(s.problems, exception(e.ExceptionDetails))
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			s.problems = append(s.problems, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	}
}

func words(args []*runtime.RemoteObject) string {
	var list []string
	for _, a := range args {
		list = append(list, string(a.Value)+a.Description)
	}
	return strings.Join(list, " ")
}

func exception(d *runtime.ExceptionDetails) string {
	text := "exception: " + d.Text
	if d.Exception != nil {
		text += " " + d.Exception.Description
	}
	return text
}
