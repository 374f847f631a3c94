// Command screenshots makes the pictures of the documentation from a real run
// in a real browser. See scripts/screenshots.sh.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/test/browser/bench"
	"github.com/deadlinelab/deadlinelab/test/browser/chromium"
)

func main() {
	root := flag.String("root", "../..", "the repository")
	out := flag.String("out", "../../docs/images", "directory for the pictures")
	run := flag.String("run", "", "run directory for the report's pictures (default: a new run of the core scenarios)")
	flag.Parse()
	if err := shoot(*root, *out, *run); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// studio is what every picture needs.
type studio struct {
	bench bench.Bench
	dir   string // for what is made on the way
	out   string
	tab   *chromium.Tab
}

func shoot(root, out, run string) error {
	dir, err := os.MkdirTemp("", "deadlinelab-screenshots-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &studio{dir: dir, out: out}
	if s.bench, err = bench.Build(root, dir); err != nil {
		return err
	}
	browser, err := chromium.Start(filepath.Join(dir, "profile"))
	if err != nil {
		return err
	}
	defer browser.Close()
	if s.tab, err = browser.Open(); err != nil {
		return err
	}
	return errors.Join(s.report(run), s.workshop())
}

// report pictures the matrix.
func (s *studio) report(run string) error {
	if run == "" {
		run = filepath.Join(s.dir, "run")
		if code, output, err := s.bench.Run(s.dir, "run", "--out", run); err != nil || (code != 0 && code != 12) {
			return fmt.Errorf("bench run: exit code %d: %v: %s", code, err, output)
		}
	}
	run, err := filepath.Abs(run)
	if err != nil {
		return err
	}
	html := filepath.Join(s.dir, "report.html")
	if code, output, err := s.bench.Run(s.dir, "report", run, "--format", "html", "-o", html); err != nil || code != 0 {
		return fmt.Errorf("bench report: exit code %d: %v: %s", code, err, output)
	}
	return errors.Join(s.tab.Size(1280, 1000), s.tab.Go("file://"+html), s.picture("matrix", "#matrix"))
}

// workshop pictures the timelines of two clients, a run half-way and the reveal.
func (s *studio) workshop() error {
	served, err := s.bench.Serve(s.dir)
	if err != nil {
		return err
	}
	err = errors.Join(s.timeline(served.URL), s.reveal(served.URL))
	code, stderr, stopped := served.Stop()
	if code != 0 {
		stopped = errors.Join(stopped, fmt.Errorf("bench serve: exit code %d: %s", code, stderr))
	}
	return errors.Join(err, stopped)
}

const revealed = `!!document.getElementById("reveal")`

func (s *studio) timeline(url string) error {
	return inOrder(
		func() error { return s.tab.Size(1280, 1000) },
		func() error { return s.tab.Go(url + "scenarios/semaphore_wait") },
		func() error { return s.tab.Click("#run") },
		func() error { return s.tab.Await(revealed) },
		func() error { return s.picture("timeline", ".picture.final") },
	)
}

func (s *studio) reveal(url string) error {
	half := `parseFloat(document.querySelector("#live .block .bar.waiting")?.getAttribute("data-ms-to")) > 700`
	return inOrder(
		func() error { return s.tab.Size(1280, 640) },
		func() error { return s.tab.Go(url + "scenarios/slow_headers") },
		func() error { return s.tab.Click(".choice:first-of-type label.failed_in_time") },
		func() error { return s.tab.Click(".choice:last-of-type label.failed_in_time") },
		s.predict,
		func() error { return s.tab.Click("#run") },
		func() error { return s.tab.Await(half) },
		func() error { return s.picture("serve-live", "") },
		func() error { return s.tab.Await(revealed) },
		func() error { return s.tab.Size(1280, 1180) },
		func() error { return s.picture("serve-reveal", "") },
	)
}

// inOrder stops at the first error.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// predict fills in durations and requests as a hasty person would.
func (s *studio) predict() error {
	_, err := chromium.Value[bool](s.tab, `(() => {
		const fill = (selector, values) => document.querySelectorAll(selector).forEach((e, i) => { e.value = values[i]; e.dispatchEvent(new Event("input")); });
		fill(".duration", [1000, 1000]);
		fill(".requests", [3, 2]);
		return true;
	})()`)
	return err
}

func (s *studio) picture(name, selector string) error {
	full, err := s.tab.Picture(selector)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	png, err := paletted(full)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	file := filepath.Join(s.out, name+".png")
	fmt.Printf("%s: %d KB\n", file, len(png)/1000)
	return os.WriteFile(file, png, 0o644)
}
