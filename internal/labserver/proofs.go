package labserver

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// closing announces the end of a connection.
const closing = "Connection: close\r\n"

// proofs is one or more for every fault that acts on the wire.
func proofs() []*proof {
	return slices.Concat(headProofs(), bodyProofs(), answerProofs(), uploadProofs(), connectionProofs())
}

func headProofs() []*proof {
	drip := "HTTP/1.1 200 OK\r\nContent-Length: 160\r\nX-Pad: ...............................\r\n\r\n"
	last := len(drip) - 8
	whole := rawProof(200, "")
	flood := strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 3)
	return []*proof{
		{fault: "{type: header_drip, piece_bytes: 8, interval_ms: 20, head_bytes: 80}", says: get(), end: "fin", endAt: 180 * time.Millisecond,
			want: append(each(drip[:last], 8, 0, 20*time.Millisecond), at(180, drip[last:]+fmt.Sprintf("%160s", proofBody))...)},
		{fault: "{type: informational_flood, interval_ms: 30, count: 3}", says: get(), end: "fin", endAt: 90 * time.Millisecond,
			want: append(each(flood, len(flood)/3, 30*time.Millisecond, 30*time.Millisecond), at(90, rawProof(200, closing))...)},
		{fault: "{type: close_at, byte: 0}", says: get(), end: "fin"},
		{fault: "{type: close_at, byte: 0, response_delay_ms: 60}", says: get(), end: "fin", endAt: 60 * time.Millisecond},
		{fault: "{type: close_at, byte: 17}", says: get(), want: at(0, whole[:17]), end: "fin"},
		{fault: "{type: reset_at, byte: 17, response_delay_ms: 50}", says: get(), want: at(50, whole[:17]), end: "rst", endAt: 50 * time.Millisecond},
		{fault: "{type: reset_at, byte: 0}", says: get(), end: "rst"},
	}
}

func bodyProofs() []*proof {
	whole := rawProof(200, "")
	head := strings.Index(whole, "\r\n\r\n") + 4
	cut := func(announced, sent int) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", announced, strings.Repeat(".", sent))
	}
	trickled := strings.Replace(whole[:head], "160", "180", 1) + strings.Repeat(" ", 20) + whole[head:]
	slow := len(trickled) - 20
	stalled := strings.Replace(whole[:head], "160", "165", 1) + "     "
	endless := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
	return []*proof{
		{fault: "{type: body_trickle, bytes: 4, interval_ms: 30, total: 20}", says: get(), end: "fin", endAt: 150 * time.Millisecond,
			want: append(at(0, trickled[:slow]), each(trickled[slow:], 4, 30*time.Millisecond, 30*time.Millisecond)...)},
		{fault: "{type: body_stall, after_bytes: 5}", says: get(), want: at(0, stalled), end: "open"},
		{fault: "{type: last_byte_withheld}", says: get(), want: at(0, whole[:len(whole)-1]), end: "open"},
		{fault: "{type: last_byte_withheld, hold_ms: 80}", says: get(), end: "fin", endAt: 80 * time.Millisecond,
			want: append(at(0, whole[:len(whole)-1]), at(80, "\n")...)},
		{fault: "{type: endless_body, bytes: 4, interval_ms: 20, for_ms: 70}", says: get(), end: "fin", endAt: 70 * time.Millisecond,
			want: append(at(0, endless), each(strings.Repeat("4\r\n....\r\n", 4), 9, 0, 20*time.Millisecond)...)},
		{fault: "{type: truncated_body, content_length: 100, bytes: 50}", says: get(), want: at(0, cut(100, 50)), end: "fin"},
		{fault: "{type: reset_in_body, content_length: 1000, bytes: 100}", says: get(), want: at(0, cut(1000, 100)), end: "rst"},
		{fault: "{type: reset_in_body, content_length: 2097152, bytes: 1048576}", says: get(), want: at(0, cut(2<<20, 1<<20)), end: "rst"},
	}
}

func answerProofs() []*proof {
	ok := servedProof(200, "", proofBody)
	unavailable := "{\"error\":\"scripted status 503\"}\n"
	moved := "{\"error\":\"scripted status 302\"}\n"
	hop := func(to string) string { return servedProof(302, "Location: "+to+"\r\n", moved) }
	gzip := strings.Replace(ok, "Content-Length", "Content-Encoding: gzip\r\nContent-Length", 1)
	follow := func(k string) string { return strings.Replace(proofGet, "/ HTTP", "/"+k+" HTTP", 1) }
	return []*proof{
		{fault: "{type: bad_gzip}", says: get(), want: at(0, gzip), end: "open"},
		{fault: "{type: malformed_json}", says: get(), want: at(0, servedProof(200, "", "{\"marker\":,]\n")), end: "open"},
		{fault: "{type: wrong_types}", says: get(), want: at(0, servedProof(200, "", "{\"marker\":503}\n")), end: "open"},
		{fault: "{type: missing_marker, response_delay_ms: 40}", says: get(), want: at(40, servedProof(200, "", "{\"status\":\"ok\"}\n")), end: "open"},
		{fault: "{type: retry_after, value: \"-1\"}", says: []said{{0, proofGet}, {1, proofGet}}, end: "open",
			want: append(at(0, servedProof(503, "Retry-After: -1\r\n", unavailable)), at(0, ok)...)},
		{fault: "{type: redirects, hops: 2, delay_ms: 20}", says: []said{{0, proofGet}, {1, follow("hop-2")}, {200, follow("hop-3")}}, end: "open",
			want: slices.Concat(at(20, hop("hop-2")), at(40, hop("hop-3")), at(60, ok))},
		{fault: "{type: sequence, steps: [{type: persistent_error, response_delay_ms: 0}, {type: close_at}]}", says: []said{{0, proofGet}, {1, proofGet}},
			want: at(0, servedProof(503, "", unavailable)), end: "fin"},
		{fault: "{type: commit, commit_after_ms: 30, response_delay_ms: 50}", says: []said{{0, post("", "Idempotency-Key: k\r\n")}, {1, post("", "Idempotency-Key: k\r\n")}},
			want: append(at(50, ok), at(100, ok)...), end: "open", commits: 1},
		{fault: "{type: commit, commit_after_ms: 30, response_delay_ms: 50}", says: []said{{0, post("", "")}, {1, post("", "")}},
			want: append(at(50, ok), at(100, ok)...), end: "open", commits: 2},
	}
}

func uploadProofs() []*proof {
	whole, asks := rawProof(200, closing), post("hello", "Expect: 100-continue\r\n")
	ask, body := strings.TrimSuffix(asks, "hello"), "hello"
	const goOn = "HTTP/1.1 100 Continue\r\n\r\n"
	refused := rawProof(417, closing)
	early := rawProof(401, closing)
	large := strings.Repeat("x", 16<<20)
	return []*proof{
		{fault: "{type: expect_continue, mode: accept}", says: []said{{0, ask}, {len(goOn), body}}, want: append(at(0, goOn), at(0, whole)...), end: "fin"},
		{fault: "{type: expect_continue, mode: delay, delay_ms: 50}", says: []said{{0, ask}, {len(goOn), body}}, end: "fin", endAt: 50 * time.Millisecond,
			want: append(at(50, goOn), at(50, whole)...)},
		{fault: "{type: expect_continue, mode: ignore}", says: []said{{0, ask + body}}, want: at(0, whole), end: "fin"},
		{fault: "{type: expect_continue, mode: refuse}", says: []said{{0, ask}}, want: at(0, refused), end: "fin"},
		{fault: "{type: early_answer}", says: get(), want: at(0, early), end: "fin"},
		{fault: "{type: early_answer, response_delay_ms: 150}", says: []said{{0, post(large[:64<<10], "")}}, want: at(150, early), end: "rst", endAt: 150 * time.Millisecond},
		{fault: "{type: unread_body, hold_ms: 400}", says: []said{{0, post(large, "")}}, end: "rst", endAt: 400 * time.Millisecond, unsent: true},
		{fault: "{type: unread_body, bytes: 4000, interval_ms: 20, body_bytes: 12000}", says: []said{{0, post(large[:12000], "")}}, end: "fin", endAt: 60 * time.Millisecond,
			want: at(60, whole)},
	}
}

func connectionProofs() []*proof {
	served, whole := servedProof(200, "", proofBody), rawProof(200, "")
	list := []*proof{
		{fault: "{type: keep_alive, close_after: 2, response_delay_ms: 20}", says: []said{{0, proofGet}, {1, proofGet}},
			want: append(at(20, served), at(40, whole)...), end: "fin", endAt: 40 * time.Millisecond},
		{fault: "{type: keep_alive, close_after: 0, idle_close_ms: 60, response_delay_ms: 0}", says: get(), want: at(0, served), end: "fin", endAt: 60 * time.Millisecond},
		{fault: "{type: keep_alive, close_after: 0, close_on_next: true, response_delay_ms: 0}", says: []said{{0, proofGet}, {1, proofGet}}, want: at(0, served), end: "fin"},
		{fault: "{type: refused}", end: "refused"},
		{fault: "{type: reset_on_accept}", end: "rst"},
		{fault: "{type: accept_silence}", says: get(), end: "open"},
		{fault: "{type: accept_silence, for_ms: 80}", accept: true, says: get(), end: "fin", endAt: 80 * time.Millisecond},
	}
	if linuxOnly {
		list = append(list,
			&proof{fault: "{type: black_hole}", end: "timeout", endAt: proofDial},
			&proof{fault: "{type: black_hole, for_ms: 200}", release: 200 * time.Millisecond, end: "open", endAt: 900 * time.Millisecond})
	}
	return list
}
