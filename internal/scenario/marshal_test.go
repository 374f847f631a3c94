package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is completed reads back equal, and completing it again changes nothing.
func TestMarshalRoundTrip(t *testing.T) {
	list := All()
	extra, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range extra {
		s, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	for _, s := range list {
		roundTrip(t, s)
	}
}

func roundTrip(t *testing.T, s *Scenario) {
	t.Helper()
	text, err := Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse("marshalled", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if diff := cmp.Diff(s, back, same); diff != "" {
		t.Fatalf("%s\n%s", diff, text)
	}
	again, err := Marshal(back)
	if err != nil || string(again) != string(text) {
		t.Fatalf("not stable (%v):\n%s\n%s", err, text, again)
	}
}

func TestMarshalGolden(t *testing.T) {
	for _, name := range []string{"transient_error", "semaphore_wait", "hang"} {
		s, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/"+name+".marshalled", text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range All() {
		data, err := os.ReadFile("../../" + s.File)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(small))
	for _, bad := range badFiles {
		f.Add([]byte(bad.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f.yaml", data)
		if err == nil {
			roundTrip(t, s)
			return
		}
		var all Errors
		if !errors.As(err, &all) || len(all) == 0 {
			t.Fatalf("%T: %v", err, err)
		}
		for _, e := range all {
			if e.Line < 1 || e.Column < 1 || e.Found == "" || e.Want == "" || e.Next == "" {
				t.Fatalf("incomplete: %+v", e)
			}
		}
	})
}
