package chromium

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// within bounds every single step: on a machine that is busy with a whole test
// run a page may take seconds, never this long.
const within = 60 * time.Second

// Tab is a page in a browser context of its own, without the cookies and
// storage of any other: what another person's browser would be.
type Tab struct {
	*Seen
	ctx context.Context
	end func()
}

// Open opens an empty tab.
func (b *Browser) Open() (*Tab, error) {
	t := &Tab{Seen: &Seen{}}
	t.ctx, t.end = chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(t.Seen.event))
	if err := chromedp.Do(t.ctx); err != nil {
		return nil, err
	}
	_, err := chromedp.Call(t.ctx, network.Enable, network.EnableParams{})
	if err == nil {
		_, err = chromedp.Call(t.ctx, runtime.Enable, cdp.Empty{})
	}
	if err == nil {
		_, err = chromedp.Call(t.ctx, log.Enable, cdp.Empty{})
	}
	return t, err
}

// Close closes the tab, as somebody who leaves.
func (t *Tab) Close() { t.end() }

// Do carries out steps.
func (t *Tab) Do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(t.ctx, within)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// Go opens an address.
func (t *Tab) Go(url string) error { return t.Do(chromedp.Navigate(url)) }

// Click clicks the first element that matches a selector, once it is there. A
// page that has just been replaced can take the element away between finding
// and clicking it: then it is looked for again.
func (t *Tab) Click(selector string) error {
	var err error
	for range 5 {
		if err = t.Do(chromedp.Click(chromedp.CSS(selector))); err == nil || errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("clicking %s: %w", selector, err)
	}
	return nil
}

// Press presses keys, in the element that has the focus.
func (t *Tab) Press(keys string) error { return t.Do(chromedp.KeyEvent(keys)) }

// Await waits until an expression is true in the page; the page may change
// meanwhile.
func (t *Tab) Await(expression string) error {
	ctx, cancel := context.WithTimeout(t.ctx, within)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if yes {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", expression, errors.Join(ctx.Err(), err))
		}
	}
}

// Size sets the size of the window's inside in CSS pixels.
func (t *Tab) Size(width, height int64) error { return t.Do(chromedp.EmulateViewport(width, height)) }

// Dark turns the preference for dark pages on or off.
func (t *Tab) Dark(on bool) error {
	value := "light"
	if on {
		value = "dark"
	}
	_, err := chromedp.Call(t.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	return err
}

// BlockScripts keeps the scripts of the pages opened from now on from running.
func (t *Tab) BlockScripts() error {
	_, err := chromedp.Call(t.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return err
}

// Value is what an expression yields in a tab.
func Value[T any](t *Tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(t.ctx, within)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		return value, fmt.Errorf("%s: %w", expression, err)
	}
	return value, nil
}

// Picture is a PNG of the first element that matches, or of the window for an
// empty selector.
func (t *Tab) Picture(selector string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(t.ctx, within)
	defer cancel()
	if selector == "" {
		return chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	return chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS(selector)))
}
