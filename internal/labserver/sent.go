package labserver

import (
	"bufio"
	"bytes"
	"net/http"
	"strconv"
)

// sent follows the bytes of an answer on the wire: heads of 1xx, the head, the
// body.
type sent struct {
	head   []byte // the head as far as it has been sent
	status int    // of the final head, 0 while it is not known
	whole  bool   // the head has been sent
	length int64  // of the announced body, -1 = not announced
	closes bool   // the head announced the end of the connection
	body   int64  // body bytes so far
	none   bool   // no body may follow the head: it answers a HEAD
}

// progress is what some more bytes have brought about.
type progress struct {
	prepared bool  // the status has become known
	head     bool  // the head is whole
	body     int64 // bytes of the body among them
	over     int   // bytes at the end that may not follow the head
}

var endOfHead = []byte("\r\n\r\n")

// statusEnd is where the status of "HTTP/1.1 200" ends.
const statusEnd = len("HTTP/1.1 200")

// add takes more bytes.
func (s *sent) add(p []byte) (now progress) {
	for len(p) > 0 && !s.whole {
		p = s.addHead(p, &now)
	}
	if s.none {
		now.over = len(p)
		return now
	}
	now.body = int64(len(p))
	s.body += now.body
	return now
}

// addHead takes the bytes up to the end of a head and returns the rest.
func (s *sent) addHead(p []byte, now *progress) (rest []byte) {
	from := max(len(s.head)-len(endOfHead), 0)
	before := len(s.head)
	s.head = append(s.head, p...)
	end := bytes.Index(s.head[from:], endOfHead)
	if end >= 0 {
		end += from + len(endOfHead)
		rest = p[end-before:]
		s.head = s.head[:end]
	}
	now.prepared = s.readStatus() || now.prepared
	switch {
	case end >= 0 && s.status == 0:
		s.head = s.head[:0]
	case end >= 0:
		s.whole, now.head = true, true
		s.length, s.closes = announced(s.head)
	}
	return rest
}

// readStatus tells whether the status of the final head has just become known.
func (s *sent) readStatus() bool {
	if s.status != 0 || len(s.head) < statusEnd {
		return false
	}
	status, err := strconv.Atoi(string(s.head[statusEnd-3 : statusEnd]))
	if err != nil || status < 200 {
		return false
	}
	s.status = status
	return true
}

// complete tells whether the whole announced body would be out with n bytes more.
func (s *sent) complete(n int64) bool {
	return s.whole && (s.none || s.length >= 0 && s.body+n == s.length)
}

// announced is the length of the body that follows a head, and whether the
// connection ends after it.
func announced(head []byte) (length int64, closes bool) {
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
	if err != nil {
		return -1, false
	}
	res.Body.Close()
	return res.ContentLength, res.Close
}
