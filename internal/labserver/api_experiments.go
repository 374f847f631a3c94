package labserver

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
)

func (s *Server) readClock(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusOK, control.ClockReading{TNs: s.cfg.Clock.Now(), Clock: clock.Name, BootID: clock.BootID()})
}

func (s *Server) createExperiment(w http.ResponseWriter, r *http.Request) error {
	var req control.ExperimentRequest
	if err := decode(w, r, maxBodyBytes, &req); err != nil {
		return err
	}
	x, err := s.create(req, reachedBy(r))
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, x.facts())
}

func (s *Server) getExperiment(w http.ResponseWriter, r *http.Request) error {
	x, err := s.find(r.PathValue("x"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, x.facts())
}

func (s *Server) deleteExperiment(w http.ResponseWriter, r *http.Request) error {
	tally, err := s.remove(r.PathValue("x"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, tally)
}
