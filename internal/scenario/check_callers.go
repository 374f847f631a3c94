package scenario

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

var (
	methods   = []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPost, http.MethodPatch, http.MethodDelete}
	shareable = []string{ShareTransport, ShareSlots}
)

// checkRequest judges what every request looks like.
func (w *walker) checkRequest(s *Scenario) {
	if !slices.Contains(methods, s.Method) {
		w.reject("method", quoted(s.Method), "one of "+names(methods), "choose one of these")
	}
	if s.BodyBytes > 0 && (s.Method == http.MethodGet || s.Method == http.MethodHead) {
		w.reject("body_bytes", fmt.Sprint(s.BodyBytes), "0, because the method is "+s.Method, "write method: POST, or remove the body")
	}
}

// checkCap: an operation is cut short only where it was late for all to see.
func (w *walker) checkCap(s *Scenario) {
	if s.CapMs != nil && w.clean("operation") && *s.CapMs <= s.LeastCapMs() {
		w.reject("cap_ms", number(*s.CapMs), fmt.Sprintf("more than %s, the budget and the margin of %d ms", number(s.LeastCapMs()), smallestMarginMs), "write null for 3 x budget + 5000")
	}
}

// checkCallers judges a group of callers by itself, and what is arranged around it.
func (w *walker) checkCallers(s *Scenario) {
	c := s.Callers
	if c == nil || !w.clean("callers") {
		return
	}
	if !w.has("callers.count") {
		w.reject("callers.count", "nothing", fmt.Sprintf("the number of callers, 1 … %d", MaxCallers), "add the key, or remove callers")
	}
	for i, what := range c.Share {
		if !slices.Contains(shareable, what) {
			w.reject(fmt.Sprintf("callers.share[%d]", i), quoted(what), "one of "+names(shareable), suggest(what, shareable, "choose one of these"))
		}
	}
	once(w, "callers.share", c.Share)
	if s.Shares(ShareSlots) && s.Slots == 0 {
		w.reject("slots", "0", "at least 1, because the callers share the slots", "write slots: 1")
	}
	if s.Fault != nil && w.clean("scenario") {
		w.checkArrangedCallers(s, s.Fault.Arrangement())
	}
}

// checkArrangedCallers: who holds the only slot or connection must hold that of
// every caller.
func (w *walker) checkArrangedCallers(s *Scenario, a fault.Arrangement) {
	if a.HoldSlot > 0 && !s.Shares(ShareSlots) {
		w.reject("callers.share", "callers with slots of their own", fmt.Sprintf("slots, because %s holds the only slot", s.Type), "write share: [slots]")
	}
	if a.HoldConnection > 0 && !s.Shares(ShareTransport) {
		w.reject("callers.share", "callers with a transport of their own", fmt.Sprintf("transport, because %s holds the only connection", s.Type), "write share: [transport]")
	}
	if a.LeadUntil != "" {
		w.reject("callers", "several callers", fmt.Sprintf("one, because %s has an operation of its own go first", s.Type), "remove callers, or choose another type")
	}
}
