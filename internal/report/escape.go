package report

// Plain makes text from a scenario file or a log safe to print: what could
// move, hide or colour other text becomes a visible escape.
func Plain(text string) string { return plain(text) }

// Markdown escapes text for a cell of a markdown table and for any line of
// markdown.
func Markdown(text string) string { return md(text) }

// Quoted is an argument as a shell takes it.
func Quoted(argument string) string { return quoted([]string{argument})[0] }

// Hang wraps text to a number of columns beside its head.
func Hang(head, text string, columns int) []string { return hang(head, text, columns) }
