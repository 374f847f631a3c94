package textui

// FullName is "D operation_deadline"; a client without a letter has one name.
func FullName(label, variant string) string {
	if label == variant {
		return Plain(variant)
	}
	return Plain(label) + " " + Plain(variant)
}
