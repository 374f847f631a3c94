package timeline

import "math"

// Instants are kept within ±36 years of the clock's zero, so that a damaged log
// cannot overflow a difference of two of them.
const farthest = int64(1) << 60

func instant(ns int64) int64 { return min(max(ns, -farthest), farthest) }

// nanoseconds of a length in milliseconds; what is no number is no time at all.
func nanoseconds(ms float64) int64 {
	if math.IsNaN(ms) {
		return 0
	}
	return int64(min(max(math.Round(ms*1e6), -float64(farthest)), float64(farthest)))
}

// micros rounds nanoseconds to microseconds, halves away from zero.
func micros(ns int64) int64 {
	if ns < 0 {
		return -micros(-ns)
	}
	return (ns + 500) / 1000
}

// wholeMicros reads back what millis and milli wrote.
func wholeMicros(ms float64) int64 { return int64(math.Round(ms * 1000)) }

// millis is a length in milliseconds with three decimals.
func millis(ns int64) float64 { return float64(micros(ns)) / 1000 }

// milli rounds milliseconds to three decimals.
func milli(ms float64) float64 { return decimals(ms, 1000) }

// centi rounds milliseconds to two decimals.
func centi(ms float64) float64 { return decimals(ms, 100) }

// decimals rounds halves away from zero also where binary floating point falls
// just short of the half, and never returns a negative zero.
func decimals(x, scale float64) float64 {
	rounded := math.Round(x*scale+math.Copysign(1e-6, x)) / scale
	if rounded == 0 || !finite(rounded) {
		return 0
	}
	return rounded
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
