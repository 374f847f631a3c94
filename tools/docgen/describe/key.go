package describe

import "maps"

// keys says of each JSON key of a Go type what the type does not.
type keys map[string]object

// about is the meaning of a key, with its unit.
func about(text string) object { return object{"description": text} }

// atLeast is a number from least on.
func atLeast(least float64, text string) object {
	return object{"description": text, "minimum": least}
}

// between is a number from least to most, both included.
func between(least, most float64, text string) object {
	return object{"description": text, "minimum": least, "maximum": most}
}

// exactly is a text that is always the same.
func exactly(value, text string) object { return object{"description": text, "const": value} }

// oneOf is a text of a closed list.
func oneOf[T ~string](values []T, text string) object {
	return object{"description": text, "enum": values}
}

// shaped is a text that matches a pattern.
func shaped(pattern, text string) object {
	return object{"description": text, "pattern": pattern}
}

// tally counts the operations for each of a closed list of names.
func tally[T ~string](names []T, text string) object {
	return object{"description": text, "propertyNames": object{"enum": names}, "additionalProperties": object{"type": "integer", "minimum": 1}}
}

// countTally counts the operations for each count.
func countTally(text string) object {
	return object{"description": text, "propertyNames": object{"pattern": "^[0-9]+$"}, "additionalProperties": object{"type": "integer", "minimum": 1}}
}

// with is o and what more adds to it or replaces in it.
func (o object) with(more object) object {
	both := maps.Clone(o)
	maps.Copy(both, more)
	return both
}

// Patterns of texts that several files hold.
const (
	operationID = `^[A-Za-z0-9_.~-]{1,96}$`
	version1    = `^1\.[0-9]+\.[0-9]+$`
)

// versionText is said of every schema_version.
const versionText = "version of the format, MAJOR.MINOR.PATCH: a later minor version adds keys, a reader refuses a later major one"
