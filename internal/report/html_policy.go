package report

// PagePolicy is the content security policy of the html format: it allows the
// page's own style and script, by their digests, and nothing else. A server
// sends it as a header too.
func PagePolicy() string { return frameOf(DrawingStyle()+pageCSS, timelineJS+pageJS).Policy }
