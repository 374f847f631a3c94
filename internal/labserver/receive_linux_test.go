package labserver

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/socket"
	"golang.org/x/sys/unix"
)

// A client is never told of more room than a small receive buffer has: what it
// sent into that would be thrown away, and sent again 200 ms later.
func TestSlowUploadIsSentOnce(t *testing.T) {
	for _, size := range []int{40_960, 655_360} {
		l, addr := onLoopback(t, fmt.Sprintf("{type: unread_body, bytes: %d, interval_ms: 2}", size/10))
		c := l.dial(addr, fmt.Sprintf(postRequest, size, strings.Repeat("x", size)))
		defer c.Close()
		if answer := must(io.ReadAll(c))(l); !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK") {
			l.Errorf("got %q", answer)
		}
		socket.OnSocket(c, func(fd int) {
			info := must(unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO))(l)
			if info.Total_retrans != 0 {
				l.Errorf("%d bytes: %d segments were sent again", size, info.Total_retrans)
			}
		})
	}
}
