package extclient

import (
	"slices"
	"strings"
)

// proxies are variables that would send a request for a loopback address to a
// proxy, in any mix of cases.
var proxies = []string{"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY", "RSYNC_PROXY", "SOCKS_PROXY"}

// ownPrefix is what the bench's variables for clients begin with. Those of the
// bench itself, among them the token of a labserver, are not handed on.
const ownPrefix = "DEADLINELAB_"

// environment is what a client's process gets: the bench's own, without
// proxies. NO_PROXY=* also keeps programs from asking a configuration file or
// the system for one.
func environment(from []string, own ...string) []string {
	kept := slices.DeleteFunc(slices.Clone(from), func(variable string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		return slices.Contains(proxies, name) || strings.HasPrefix(name, ownPrefix)
	})
	return append(append(kept, "NO_PROXY=*", "no_proxy=*", markName+"="+mark), own...)
}

// pairs is what an operation's process finds in its environment.
func (v values) pairs() []string {
	return []string{
		ownPrefix + "URL=" + v.url,
		ownPrefix + "BUDGET_S=" + v.of("budget_s"),
		ownPrefix + "BUDGET_MS=" + v.of("budget_ms"),
		ownPrefix + "ID=" + v.id,
	}
}
