// Package chromium starts the system's Chromium and watches what its pages do:
// every request, every message on the console, every exception.
package chromium

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// path is the browser's executable. Without one there is nothing to test, which
// is an error: what needs a browser is never skipped.
func path() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no Chromium in PATH: install Debian's package chromium")
}

// Browser is one process with a profile of its own.
type Browser struct {
	ctx context.Context
	end func()
}

// Start starts a browser; profile is an empty directory.
func Start(profile string) (*Browser, error) {
	executable, err := path()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(executable), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1360, 900),
	)
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endContext := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		endAllocator()
		return nil, fmt.Errorf("%s did not start: %w", executable, err)
	}
	return &Browser{ctx: ctx, end: func() { endContext(); endAllocator() }}, nil
}

// Close ends the process.
func (b *Browser) Close() { b.end() }
