package report

import "github.com/deadlinelab/deadlinelab/internal/svg"

// PagePolicy is the content security policy of the html format: it allows the
// page's own style and script, by their digests, and nothing else. A server
// sends it as a header too.
func PagePolicy() string { return frameOf(svg.DrawingStyle()+pageCSS, timelineJS+pageJS).Policy }
