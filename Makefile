# Go and make are enough for everything but `lint` and `ci`.
# Variables: SCENARIO VARIANT OPERATIONS REPEATS OUT ON_INCONCLUSIVE NAME FROM DIR

GO         ?= go
BENCH       = bin/bench
SCENARIO   ?=
VARIANT    ?=
OPERATIONS ?=
REPEATS    ?=
OUT        ?=
NAME       ?=
FROM       ?= operation_deadline
DIR        ?= results/latest
ON_INCONCLUSIVE ?= fail

# A variable is one argument for the shell, whatever it holds; SCENARIO may name several.
quote = '$(subst ','\'',$(1))'
option = $(if $(2),--$(1) $(call quote,$(2)))

scenarios = $(foreach s,$(SCENARIO),$(call quote,$(s)))
flags = $(call option,variant,$(VARIANT)) $(call option,out,$(OUT))
sizes = $(call option,operations,$(OPERATIONS)) $(call option,repeats,$(REPEATS))

# What the binaries call themselves, also where the go command may not ask git; without git it is the go command's.
version = $(shell [ ! -e .git ] || git describe --tags --always --dirty --abbrev=12 2>/dev/null)
ldflags = $(if $(version),-ldflags=$(call quote,-X github.com/deadlinelab/deadlinelab/internal/control.version=$(version)))

# make maps every failure to 2, so targets say what the exit code meant.
explain = code=$$?; [ $$code -eq 0 ] || { $(BENCH) exitcode $$code >&2; exit $$code; }

.DEFAULT_GOAL := help
.PHONY: help build demo bench benchmark-smoke bench-smoke ladder clients clients-bench report validate variant test test-browser test-clients lint ci clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  variables: SCENARIO, VARIANT, OPERATIONS, REPEATS, OUT, DIR, NAME, FROM, ON_INCONCLUSIVE=warn|fail"
	@echo "  example:   make demo SCENARIO=semaphore_wait"

build: ## build bin/bench and bin/labserver
	@$(GO) build $(ldflags) -o bin/ ./cmd/bench ./cmd/labserver

demo: build ## draw one operation of two variants: SCENARIO=name, VARIANT=all
	@$(BENCH) demo $(scenarios) $(flags) || { $(explain); }

bench: build ## N = 90 operations of each variant in the core scenarios
	@$(BENCH) run $(scenarios) $(flags) $(sizes) || { $(explain); }

benchmark-smoke: build ## 6 operations a cell in under 30 s, for CI
	@$(BENCH) run $(scenarios) --profile smoke --on-inconclusive $(call quote,$(ON_INCONCLUSIVE)) $(flags) $(sizes); \
	code=$$?; $(BENCH) exitcode $$code; exit $$code

bench-smoke: benchmark-smoke ## the same

ladder: build ## every scenario into results/ladder, packed, and docs/waits.md from it
	@scripts/ladder.sh

clients: build ## build and install the known clients of other libraries and languages
	@scripts/clients.sh

clients-bench: clients ## every known client under every wait into results/clients, and docs/clients.md from it
	@scripts/clients-bench.sh

report: build ## print the report of DIR (results/latest)
	@$(BENCH) report $(call quote,$(DIR)) || { $(explain); }

validate: build ## check DIR (results/latest) against its logs
	@$(BENCH) validate $(call quote,$(DIR)) || { $(explain); }

variant: ## copy a variant to repair it: NAME=mine FROM=operation_deadline
	@[ -n $(call quote,$(NAME)) ] || { echo "error: NAME is missing" >&2; echo "hint: make variant NAME=mine FROM=operation_deadline" >&2; exit 64; }
	@$(GO) run ./scripts/variant -name $(call quote,$(NAME)) -from $(call quote,$(FROM))

test: ## run the tests; Go alone is enough
	$(GO) test ./...

test-browser: ## test the pages in a real browser; needs Chromium
	cd test/browser && $(GO) vet ./... && $(GO) test -count=1 ./...

test-clients: build ## test the known clients; needs Python, Node and Java
	@scripts/test-clients.sh

lint: ## gofmt, vet for three systems, staticcheck
	scripts/lint.sh

ci: ## everything that CI runs
	scripts/ci.sh

clean: ## remove what was built and the runs that are not committed
	rm -rf bin
	[ ! -d results ] || find results -mindepth 1 -maxdepth 1 ! -name reference ! -name ladder ! -name clients ! -name README.md -exec rm -rf {} +
