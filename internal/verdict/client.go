package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Client is a client in a process of its own, as the run found it.
type Client struct {
	Name         string    `json:"name"` // the variant of its series
	Kind         string    `json:"kind"` // exec or adapter
	Program      string    `json:"program"`
	Version      string    `json:"version"`
	Language     string    `json:"language"`
	Settings     []Setting `json:"settings"` // how it is set up
	Capabilities []string  `json:"capabilities"`
	Command      []string  `json:"command"`
	Manifest     string    `json:"manifest,omitempty"` // file that names it; empty = it was named by its command
}

// Setting is one setting of a client.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DescribeClients puts the plan's clients into the summary.
func (s *Summary) DescribeClients(clients []scenario.Client) {
	for _, c := range clients {
		one := Client{Name: c.Name, Kind: c.Kind, Program: c.Program, Version: c.Version, Language: c.Language,
			Settings: []Setting{}, Capabilities: c.Capabilities, Command: c.Command, Manifest: c.Manifest}
		if one.Capabilities == nil {
			one.Capabilities = []string{}
		}
		for _, set := range c.Settings {
			one.Settings = append(one.Settings, Setting(set))
		}
		s.Clients = append(s.Clients, one)
	}
}

// client fails a series whose client broke, whatever is expected of it; a
// series whose client was never started under a healthy upstream proves nothing.
func (e evidence) client() []Check {
	s := e.series
	switch {
	case s.NotApplicable != "":
		return nil
	case s.Broken > 0:
		return []Check{{Requirement: "client", Expected: "every call ends as a client's calls do", Verdict: Fail,
			Actual: fmt.Sprintf("broke in %d of %d: %s", s.Broken, cmp.Or(s.Planned, s.Broken), s.BrokenBecause)}}
	case s.Client == eventlog.ExecClient && s.StartupMs == nil:
		return []Check{{Requirement: "client", Expected: "a start-up of the same command under healthy", Actual: strings.TrimSuffix("none that counts: "+s.StartupFailed, ": "), Verdict: Inconclusive,
			Reason: "what it costs to start its process is not known, so that nothing can be judged net of it"}}
	}
	return nil
}

// Made is "aiohttp 3.8.4, Python 3.11.2": what the client is made of; empty if
// it does not say.
func (c *Client) Made() string {
	if c == nil {
		return ""
	}
	text := c.Named()
	if c.Language != "" {
		text = strings.TrimPrefix(text+", "+c.Language, ", ")
	}
	return textui.Plain(text)
}

// Named is "aiohttp 3.8.4".
func (c *Client) Named() string {
	if c == nil {
		return ""
	}
	return textui.Plain(strings.TrimSpace(c.Program + " " + c.short()))
}

// short is the version without what programs write around it: of "curl 8.14.1
// (x86_64) libcurl/8.14.1 OpenSSL" 8.14.1.
func (c *Client) short() string {
	version, _, _ := strings.Cut(strings.TrimPrefix(c.Version, c.Program+" "), " (")
	return textui.Cut(version, longestVersion, "…")
}

const longestVersion = 40

// Set is how the client is set up: "timeout: total 400 ms; retries: 2".
func (c *Client) Set() string {
	var parts []string
	for _, s := range c.Settings {
		parts = append(parts, s.Name+": "+s.Value)
	}
	return textui.Plain(strings.Join(parts, "; "))
}

// Called is the command that starts it.
func (c *Client) Called() string { return textui.Plain(strings.Join(textui.Quoted(c.Command), " ")) }

// Kinds of clients in words.
var KindWords = map[string]string{eventlog.ExecClient: "a process per operation", eventlog.AdapterClient: "through an adapter"}

// OneLine is the client in one line.
func (c *Client) OneLine() string { return c.InLine(c.Set()) }

// InLine is the client in one line, with its settings as set says.
func (c *Client) InLine(set string) string {
	parts := []string{KindWords[c.Kind]}
	for _, part := range []string{c.Made(), set, c.Called()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// Flag is the flag that names such a client by its command.
func (c *Client) Flag() string {
	if c.Kind == eventlog.ExecClient {
		return "--exec"
	}
	return "--client"
}

// NamedCommand is what that flag takes.
func (c *Client) NamedCommand() string { return c.Name + "=" + c.Called() }

// KindWords say what its kind means.
func (c Client) KindWords() string { return KindWords[c.Kind] }

// Setting is the client's value of a setting, "–" if it has none.
func (c *Client) Setting(name string) string {
	for _, s := range c.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return wording.Unknown
}
