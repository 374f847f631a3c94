// Command variant copies a client variant under a new name, for the exercise
// "repair it": go run ./scripts/variant -name mine -from operation_deadline
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func main() {
	name := flag.String("name", "", "name of the new variant: lower-case letters, digits and _")
	from := flag.String("from", "operation_deadline", "variant to copy, by name or letter")
	dir := flag.String("dir", "internal/variants", "folder of the variants")
	flag.Parse()
	err := fmt.Errorf("unexpected argument %q: expected flags only", flag.Arg(0))
	if flag.NArg() == 0 {
		err = copyVariant(*from, *name, *dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(64)
	}
}

// copyVariant never overwrites: a workshop's work is not lost to a second copy.
func copyVariant(from, name, dir string) error {
	source, err := variants.Copy(from, name)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name+".go")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("%w; choose another NAME or remove the file", err)
	}
	if _, err := f.Write(source); err != nil {
		f.Close()
		return err
	}
	fmt.Printf("%s is a copy of %s: change it, then run\n  make demo SCENARIO=semaphore_wait VARIANT=%s\n  bin/bench run --variant %s --require bounded   # after make build: was it ever late?\n", path, from, name, name)
	return f.Close()
}
