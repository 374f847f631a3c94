package labserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// proofsAtOnce bounds how many sockets are observed at a time.
const proofsAtOnce = 8

var errSelftest = errors.New("a fault is not as its script says")

// verdict is a proof that was carried out.
type verdict struct {
	proof    *proof
	observed *observed
	problems []string
}

// selftest meets every fault with a raw socket and prints what came back.
func (p *program) selftest() error {
	if err := enoughToProve(openFiles()); err != nil {
		return err
	}
	s, closeServer, err := p.server()
	if err != nil {
		return err
	}
	defer closeServer()
	failed := 0
	verdicts := proveAll(s, proofs())
	for _, v := range verdicts {
		if len(v.problems) > 0 {
			failed++
		}
	}
	if err := printVerdicts(p.stdout, verdicts); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	if failed > 0 {
		return fmt.Errorf("%w: %d of %d proofs failed", errSelftest, failed, len(verdicts))
	}
	return nil
}

// proveAll carries out the proofs, several at a time.
func proveAll(s *Server, ps []*proof) []verdict {
	verdicts := make([]verdict, len(ps))
	places := make(chan struct{}, proofsAtOnce)
	var all sync.WaitGroup
	for i, p := range ps {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			verdicts[i] = p.prove(s)
		})
	}
	all.Wait()
	return verdicts
}

// prove serves the fault, meets it, and ends it.
func (p *proof) prove(s *Server) verdict {
	o, commits := p.meet(s)
	return verdict{p, o, p.judge(o, commits)}
}

func (p *proof) meet(s *Server) (o *observed, commits int) {
	x, err := s.proving(p.fault)
	if err != nil {
		return &observed{err: err}, 0
	}
	defer s.remove(x.name)
	ops, err := x.register([]control.OperationRequest{{Op: proofOp}})
	if err != nil {
		return &observed{err: err}, 0
	}
	if p.release > 0 {
		if err := x.gates.of(proofOp).release(1, time.Now().Add(p.release)); err != nil {
			return &observed{err: err}, 0
		}
	}
	o = p.observe(strings.TrimPrefix(x.urlOf(ops[0]), "http://"))
	for _, e := range x.recorder.Read(0, maxEvents) {
		if e.Kind == eventlog.EffectCommitted {
			commits++
		}
	}
	return o, commits
}

// proving is an experiment with that upstream.
func (s *Server) proving(upstream string) (*experiment, error) {
	text := fmt.Sprintf(`{name: proof, question: q, lesson: l, contrast: [single_attempt, operation_deadline], operation: {budget_ms: 1000},
  pool: {limit: 1}, slots: 1, variants: [single_attempt, operation_deadline],
  expect: {single_attempt: {outcome: success}, operation_deadline: {outcome: success}}, scenario: %s}`, upstream)
	sc, err := scenario.Parse("selftest", []byte(text))
	if err != nil {
		return nil, err
	}
	x := s.experiment(s.chooseName(), sc, time.Minute, false)
	return x, s.launch(x, "selftest", loopbackAny)
}

// printVerdicts is the table: one line a proof, and what is wrong below it.
func printVerdicts(w io.Writer, verdicts []verdict) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "VERDICT\tBYTES\tEND\tAFTER\tLATE\tFAULT")
	for _, v := range verdicts {
		word := "ok"
		if len(v.problems) > 0 {
			word = "FAIL"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\n", word, v.observed.total, v.observed.end,
			millisText(v.observed.endAt), millisText(v.proof.latest(v.observed)), v.proof.fault)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, v := range verdicts {
		for _, problem := range v.problems {
			if _, err := fmt.Fprintf(w, "%s: %s\n", v.proof.fault, problem); err != nil {
				return err
			}
		}
	}
	return nil
}

func millisText(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }

// Requests of the proofs.
const (
	proofGet  = "GET /op/" + proofOp + "/ HTTP/1.1\r\nHost: x\r\n\r\n"
	proofPost = "POST /op/" + proofOp + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%s\r\n%s"
)

func get() []said { return []said{{0, proofGet}} }

func post(body, fields string) string { return fmt.Sprintf(proofPost, len(body), fields, body) }

// rawProof is a whole answer of a fault that has taken its connection over.
func rawProof(status int, fields string) string {
	body := fmt.Sprintf("%160s", proofBody)
	if status != http.StatusOK {
		body = fmt.Sprintf("{\"error\":\"scripted status %d\"}\n", status)
	}
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", status, http.StatusText(status), len(body), fields, body)
}

// proofBody is the body of a success.
const proofBody = "{\"marker\":\"" + proofMarker + "\"}\n"

// servedProof is a whole answer of net/http, less its date.
func servedProof(status int, fields, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Length: %d\r\nContent-Type: application/json\r\n%s\r\n%s", status, http.StatusText(status), len(body), fields, body)
}

// each is a text whose bytes come in pieces of size bytes, the first at from,
// and one each gap.
func each(text string, size int, from, gap time.Duration) (list []arrival) {
	for ; len(text) > 0; from += gap {
		n := min(size, len(text))
		list = append(list, arrival{from, text[:n]})
		text = text[n:]
	}
	return list
}

func at(ms int, text string) []arrival {
	return []arrival{{time.Duration(ms) * time.Millisecond, text}}
}

// linuxOnly proofs rest on what only Linux does.
const linuxOnly = runtime.GOOS == "linux"
