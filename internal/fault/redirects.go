package fault

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
)

func init() {
	Register("redirects", func() Fault { return &Redirects{Status: http.StatusFound, Hops: 5, DelayMs: 150} })
}

// maxHops is more than the clients follow that count.
const maxHops = 100

// Redirects sends the client on, hops times, and then answers with 200; every
// answer comes after the delay. With to, the last redirect leads to an address
// at which nobody listens, or from which nothing comes back.
type Redirects struct {
	Common  `yaml:",inline"`
	Status  int     `yaml:"status"`
	Hops    int     `yaml:"hops"`
	DelayMs float64 `yaml:"delay_ms"`
	To      string  `yaml:"to"`
}

// Check returns what is wrong with the fields.
func (f *Redirects) Check() []Problem {
	list := problems(checkCount("hops", f.Hops, maxHops), checkDelay("delay_ms", f.DelayMs))
	switch f.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		list = append(list, Problem{Field: "status", Found: fmt.Sprint(f.Status), Want: "301, 302, 303, 307 or 308"})
	}
	switch ConnectionKind(f.To) {
	case "", Refused, BlackHole:
	default:
		list = append(list, Problem{Field: "to", Found: fmt.Sprintf("%q", f.To), Want: `"refused", "black_hole", or nothing`})
	}
	return list
}

const hopPrefix = "hop-"

// Serve redirects by the hop that the request's path names: a client that
// begins anew walks the whole chain again.
func (f *Redirects) Serve(ex Exchange) error {
	k := hopOf(ex.Request())
	if k > f.Hops {
		return respondAfter(ex, ms(f.DelayMs), http.StatusOK)
	}
	to, err := f.location(ex, k)
	if err != nil {
		return err
	}
	if err := ex.DelayUntil(ex.Started().Add(ms(f.DelayMs))); err != nil {
		return err
	}
	header := http.Header{"Content-Type": jsonHeader["Content-Type"], "Location": {to}}
	return respondWith(ex, f.Status, header, bodyOf(ex, f.Status))
}

func (f *Redirects) location(ex Exchange, k int) (string, error) {
	if k == f.Hops && f.To != "" {
		return ex.Elsewhere(ConnectionKind(f.To))
	}
	return hopPrefix + strconv.Itoa(k+1), nil
}

// hopOf is which request of a chain this is, from 1.
func hopOf(r *http.Request) int {
	if r.URL == nil || strings.HasSuffix(r.URL.Path, "/") {
		return 1
	}
	text, ok := strings.CutPrefix(path.Base(r.URL.Path), hopPrefix)
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 1 {
		return 1
	}
	return n
}
