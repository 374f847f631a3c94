package labserver

import (
	"fmt"
	"net"
)

// checkBind refuses an address that other machines can reach while there is no
// token: an upstream that anybody may script is a gift to nobody.
func checkBind(what, addr, token string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return refuse(400, "127.0.0.1:0 lets the system pick a port", "%s %q: expected host:port (%v)", what, addr, err)
	}
	if token == "" && !isLoopback(host) {
		return refuse(403, fmt.Sprintf("bind to 127.0.0.1, or set a token in %s", tokenEnv),
			"%s %q is not a loopback address and there is no token", what, addr)
	}
	return nil
}

// isLoopback: an empty host means every interface.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
