package labserver

import (
	"net"
	"net/http"
	"net/url"
)

// reachedBy is the host by which whoever made the request reaches this one,
// without the port; empty if the request does not say.
func reachedBy(r *http.Request) string {
	u, err := url.Parse("http://" + r.Host)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// urlAt is the URL of an address at which x listens. One of all interfaces, as
// 0.0.0.0, is no address for anybody on another host: there it is the host by
// which the control API was reached.
func (x *experiment) urlAt(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && x.host != "" && ip != nil && ip.IsUnspecified() {
		addr = net.JoinHostPort(x.host, port)
	}
	return (&url.URL{Scheme: "http", Host: addr}).String()
}
