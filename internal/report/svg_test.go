package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/svg"
)

// The drawing of every kind of wait, as a file of its own.
func TestTimelineSVG(t *testing.T) {
	for _, d := range fixture.Demos {
		t.Run(d.Name, func(t *testing.T) {
			drawn := timelineFile(d.Name, d.Question, chart.NewDetailedChart(d.Subjects)).Data
			wellFormed(t, drawn)
			fixture.Golden(t, "timeline_"+d.Name+".svg", drawn)
		})
	}
}

func wellFormed(t *testing.T, data []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v at byte %d", err, decoder.InputOffset())
		}
	}
}

// A standalone drawing leaves no custom property open, since slide programs
// know none, and needs nothing from elsewhere.
func TestStandaloneSVGIsComplete(t *testing.T) {
	drawn := string(timelineFile("x", "", chart.NewDetailedChart([]chart.Subject{fixture.SemaphoreC()})).Data)
	for _, forbidden := range []string{"var(", "href", "@import", "url(http"} {
		if strings.Contains(drawn, forbidden) {
			t.Errorf("%q occurs", forbidden)
		}
	}
	if !strings.Contains(drawn, `xmlns="http://www.w3.org/2000/svg"`) {
		t.Error("no namespace")
	}
}

// What a scenario or a log says stays text.
func TestSVGEscapes(t *testing.T) {
	hostile := fixture.SemaphoreC()
	hostile.Operation.Variant = `<script>alert(1)</script>`
	hostile.Operation.Label = "\"><x onload=y>\x1b[2J"
	hostile.Operation.Attempts[0].Limit = `--></style>`
	out := string(svg.TimelineSVG(chart.NewDetailedChart([]chart.Subject{hostile}), svg.SVGOptions{Title: `"><script>`, Text: `</svg><script>`}))
	wellFormed(t, []byte(out))
	for _, forbidden := range []string{"<script", "<x", "</style>", "\x1b"} {
		if strings.Contains(out, forbidden) {
			t.Errorf("%q came through", forbidden)
		}
	}
}
