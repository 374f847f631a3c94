package report

// SourceRow is a line of two texts side by side. Mark is ' ' where they agree,
// < only left, > only right, | both differ.
type SourceRow struct {
	Left, Right string
	Mark        byte
}

// AlignSource pairs the lines of two texts as SideBySide prints them.
func AlignSource(left, right string) []SourceRow {
	rows := align(sourceLines(left), sourceLines(right))
	list := make([]SourceRow, len(rows))
	for i, r := range rows {
		list[i] = SourceRow{r.left, r.right, r.mark}
	}
	return list
}
