package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Write prints the report for people.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	r.Machine.write(&b)
	fmt.Fprintf(&b, "%-34s%6s%9s%9s%9s%9s\n", "late, in ms", "n", "median", "p95", "p99", "max")
	for _, row := range r.rows() {
		row.write(&b)
	}
	b.WriteString("\n" + r.conclusion() + "\n")
	for _, a := range r.Advice {
		b.WriteString("- " + a + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (m *Machine) write(b *strings.Builder) {
	for _, fact := range []struct{ name, value string }{
		{"system", m.System}, {"CPUs", m.cpus()}, {"GOMAXPROCS", fmt.Sprint(m.MaxProcs)}, {"load", m.Load},
		{"open files", fmt.Sprint(m.OpenFiles)}, {"clock source", m.ClockSource},
	} {
		if fact.value != "" && fact.value != "0" {
			fmt.Fprintf(b, "%-13s %s\n", fact.name, fact.value)
		}
	}
	b.WriteString("\n")
}

type row struct {
	name string
	late *Lateness
}

func (r *Report) rows() []row {
	return []row{
		{"deadline (noise floor)", r.Deadline},
		{"timer", r.Timer},
		{"timer, nudged", r.Nudged},
		{"due → written, 1 exchange", r.Single},
		{"due → written, 50 spread", r.Spread},
		{"due → written, 50 at one instant", r.Burst},
		{"seen by the client, 50 spread", r.Seen},
	}
}

func (r row) write(b *strings.Builder) {
	l := r.late
	if l == nil {
		fmt.Fprintf(b, "%s%6d%9s%9s%9s%9s\n", pad(r.name), 0, "-", "-", "-", "-")
		return
	}
	p99 := "-"
	if l.P99 != nil {
		p99 = fmt.Sprintf("%.3f", *l.P99)
	}
	fmt.Fprintf(b, "%s%6d%9.3f%9.3f%9s%9.3f\n", pad(r.name), l.N, l.Median, l.P95, p99, l.Max)
}

// pad counts characters, not bytes.
func pad(name string) string {
	return name + strings.Repeat(" ", max(0, 34-utf8.RuneCountInString(name)))
}

func (r *Report) conclusion() string {
	if r.CanJudge {
		return "A run on this machine can be judged."
	}
	return "This machine cannot judge a run as it is now."
}
