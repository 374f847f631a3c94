package scenario

import (
	"math/big"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	digits      = regexp.MustCompile(`^[-+]?[0-9]+$`)
	decimal     = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)
	notFinite   = regexp.MustCompile(`^[-+]?\.(inf|Inf|INF|nan|NaN|NAN)$`)
	sexagesimal = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`)
	withUnit    = regexp.MustCompile(`^[-+]?[0-9.]+ ?[A-Za-zµ%]+$`)
)

// numeric refuses what is no number, and a number that is not written in
// decimal: YAML 1.1 reads 0500 as 320 and 1:30 as 90, YAML 1.2 as 500 and as
// text, and JSON refuses them all.
func (w *walker) numeric(path string, n *yaml.Node, want string) bool {
	isNumber := isScalar(n, "!!int", "!!float")
	switch {
	case isNumber && (decimal.MatchString(n.Value) || notFinite.MatchString(n.Value)):
		return true
	case isNumber, isPlain(n) && sexagesimal.MatchString(n.Value):
		w.reject(path, short(n.Value), want+", in decimal", "write "+short(inDecimal(n.Value)))
	default:
		w.reject(path, found(n), want, alone(n, howToWriteNumber(n)))
	}
	return false
}

// isPlain reports whether n is text only because it is nothing else.
func isPlain(n *yaml.Node) bool { return isScalar(n, "!!str") && n.Style == 0 }

func howToWriteNumber(n *yaml.Node) string {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return "write digits, without a tag"
	case isScalar(n, "!!str") && decimal.MatchString(n.Value) && strings.ContainsAny(n.Value, "0123456789"):
		return "write it without quotes"
	case isScalar(n, "!!str") && withUnit.MatchString(n.Value):
		return "write it without a unit"
	}
	return "write digits only"
}

// inDecimal is the number that was meant by one in another notation. A leading
// zero is no octal to whoever writes milliseconds.
func inDecimal(text string) string {
	sign, number := "", strings.ReplaceAll(text, "_", "")
	if rest := strings.TrimLeft(number, "+-"); rest != number {
		sign, number = strings.TrimPrefix(number[:1], "+"), rest
	}
	if i, ok := new(big.Int).SetString(number, 0); ok && len(number) > 2 && strings.ContainsAny(number[:2], "xXoObB") {
		return sign + i.String()
	}
	if strings.Contains(number, ":") {
		number = fromSexagesimal(number)
	}
	number = strings.TrimLeft(number, "0")
	if number == "" || !strings.ContainsAny(number[:1], "123456789") {
		number = "0" + number
	}
	return sign + number
}

// fromSexagesimal reads 1:30 as 90.
func fromSexagesimal(text string) string {
	whole, fraction, _ := strings.Cut(text, ".")
	sum := new(big.Int)
	for part := range strings.SplitSeq(whole, ":") {
		digit, _ := new(big.Int).SetString(part, 10)
		sum.Add(sum.Mul(sum, big.NewInt(60)), digit)
	}
	if fraction == "" {
		return sum.String()
	}
	return sum.String() + "." + fraction
}

// alone is the next step where one value belongs.
func alone(n *yaml.Node, otherwise string) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "write one value, without brackets"
	case yaml.MappingNode:
		return "write one value, without keys"
	}
	return otherwise
}
