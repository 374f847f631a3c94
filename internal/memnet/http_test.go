package memnet

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs a net/http client against handler, all of it in virtual time.
func inBubble(t *testing.T, handler http.HandlerFunc, body func(t *testing.T, client *http.Client, url string)) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l, err := n.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: handler}
		go func() { _ = server.Serve(l) }()
		transport := &http.Transport{DialContext: n.DialContext}
		body(t, &http.Client{Transport: transport}, "http://"+l.Addr().String())
		transport.CloseIdleConnections()
		server.Close()
		time.Sleep(time.Second)
	})
}

// 16 chunks 75 ms apart arrive after exactly 16 × 75 ms.
func TestHTTPBodyInVirtualTime(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		for k := range 16 {
			time.Sleep(time.Until(start.Add(time.Duration(k+1) * 75 * time.Millisecond)))
			_, _ = w.Write(make([]byte, 4096))
			_ = http.NewResponseController(w).Flush()
		}
	}
	inBubble(t, slow, func(t *testing.T, client *http.Client, url string) {
		start := time.Now()
		answer, err := client.Get(url)
		if err != nil || time.Since(start) != 75*time.Millisecond {
			t.Fatalf("headers: %v after %v", err, time.Since(start))
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if len(got) != 16*4096 || err != nil || time.Since(start) != 1200*time.Millisecond {
			t.Errorf("%d bytes, %v after %v", len(got), err, time.Since(start))
		}
	})
}

// A deadline acts on its nanosecond, and the server's handler sees the client leave then.
func TestHTTPDeadlineInVirtualTime(t *testing.T) {
	var left chan time.Time
	hang := func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		left <- time.Now()
	}
	inBubble(t, hang, func(t *testing.T, client *http.Client, url string) {
		left = make(chan time.Time, 1)
		start := time.Now()
		ctx, cancel := context.WithDeadline(t.Context(), start.Add(400*time.Millisecond))
		defer cancel()
		request, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
		if _, err := client.Do(request); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 400*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if at := <-left; at.Sub(start) != 400*time.Millisecond {
			t.Errorf("server saw it after %v", at.Sub(start))
		}
	})
}

// With a pool of one, the second request waits for the first one's body.
func TestHTTPPoolInVirtualTime(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) { time.Sleep(100 * time.Millisecond) }
	inBubble(t, slow, func(t *testing.T, client *http.Client, url string) {
		client.Transport.(*http.Transport).MaxConnsPerHost = 1
		start := time.Now()
		var all sync.WaitGroup
		for range 90 {
			all.Go(func() {
				answer, err := client.Get(url)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			})
		}
		if all.Wait(); time.Since(start) != 9*time.Second {
			t.Errorf("took %v", time.Since(start))
		}
	})
}

// A server that closes without an answer is io.EOF, not a hang.
func TestHTTPServerHangsUp(t *testing.T) {
	hangUp := func(w http.ResponseWriter, r *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			c.Close()
		}
	}
	inBubble(t, hangUp, func(t *testing.T, client *http.Client, url string) {
		if _, err := client.Get(url); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	})
}
