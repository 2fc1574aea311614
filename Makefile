# Every target sets up what it needs by itself, in .venv; see tools/setup.
#
#   make test ARGS='-k commission'      more arguments for pytest
#   make run ARGS='--port 9000'         more arguments for punto serve
#   make run PYTHON=python3.13          another interpreter

.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
ARGS ?=
CORES := $(shell getconf _NPROCESSORS_ONLN)
# Tests of servers, browsers and killed processes wait much of their time, so two workers more than there are cores.
# Those of `make quick` compute, and each worker more has to collect all tests.
WORKERS ?= $(shell echo $$(( $(CORES) + 2 )))

# Ctrl-C is how a floor and a game end: make says nothing about it. Its own status is still that of an interrupt.
QUIETLY := trap : INT;
STOPPED = ; status=$$?; [ $$status -eq 130 ] || exit $$status

ifdef PYTHON
export PYTHON
endif
# Without kept bytecode every worker and every `punto` that a test starts compiles the whole tree again.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: setup
setup: .setup-run ## install Punto into .venv, with its pages, and start nothing
	@tools/pages build

.PHONY: run
run: .setup-run ## open a floor in the browser; installs what it needs
	@tools/pages build
	@$(QUIETLY) $(BIN)/punto serve $(ARGS) $(STOPPED)

.PHONY: play
play: .setup-run ## play at a table in the terminal
	@$(QUIETLY) if [ -t 0 ] && [ -t 1 ]; then $(BIN)/punto play $(ARGS); else $(BIN)/punto demo; fi $(STOPPED)

.PHONY: pages
pages: ## build the pages of web/ into the package
	@tools/pages build

.PHONY: web
web: ## the pages: build them, and check their types, style and units
	@tools/pages test

.PHONY: test
test: .setup-test ## all checks: lint, types, the pages, and the tests
	@$(MAKE) --no-print-directory --jobs=2 types web lint
	@tools/browser >/dev/null
	@echo "punto: running the tests"
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

.PHONY: quick
quick: lint types ## lint, types, and every test that is not marked slow
	@echo "punto: running the quick tests"
	@$(BIN)/pytest -n $(CORES) --dist worksteal -q -m "not slow" $(ARGS)

.PHONY: gpu
gpu: .setup-test ## the tests that need a GPU and punto[gpu]; make test omits them
	@$(BIN)/pytest tests/gpu/gpu_*.py $(ARGS)

.PHONY: lint
lint: .setup-test ## style, format, and which package may import which
	@echo "punto: checking style and format"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo "punto: checking which package imports which"
	@$(BIN)/lint-imports --no-logo

.PHONY: types
types: .setup-test ## mypy, strict
	@echo "punto: checking types"
	@$(BIN)/mypy src tests $(wildcard tools/*.py bench/*.py)

.PHONY: format
format: .setup-test ## format the code, and fix what ruff can fix
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

.PHONY: bench
bench: .setup-test ## the benchmarks, each beside its baseline
	@ls bench/bench_*.py >/dev/null 2>&1 || { echo "punto: there are no benchmarks yet (bench/bench_*.py)"; exit 1; }
	@for file in bench/bench_*.py; do echo "punto: $$file"; $(BIN)/python "$$file" || exit 1; done

.PHONY: soak
soak: .setup-test ## N=100000 random rounds and books, and damaged inputs
	@$(BIN)/python tools/soak.py $(or $(N),100000) $(ARGS)
	@$(BIN)/python tools/soak_books.py $(or $(N),100000)
	@$(BIN)/python tools/fuzz.py all --count $(or $(MUTANTS),$$(( $(or $(N),100000) / 10 )))
	@$(BIN)/python tools/life.py $(or $(N),100000)
	@$(BIN)/python tools/shuffles.py
	@$(BIN)/python tools/tamper.py $$(( $(or $(N),100000) / 10 ))
	@$(BIN)/python tools/crash.py all $$(( $(or $(N),100000) / 100 ))
	@$(BIN)/python -m tests.browser.scripted $$(( $(or $(N),100000) / 100 ))
	@$(BIN)/python -m tests.browser.board_rounds $$(( $(or $(N),100000) / 20 ))
	@$(BIN)/python -m tests.store.lease_model
	@$(BIN)/python -m tests.server.simulated_house 0 $$(( $(or $(N),100000) / 10 ))
	@$(BIN)/python tools/house_soak.py

.PHONY: wheel
wheel: .setup-run ## a wheel and a source distribution in dist/, with the pages
	@$(BIN)/python -m hatchling build -d dist
	@ls dist/punto-*

.PHONY: release
release: .setup-test ## VERSION=0.2.0: test, cut the changelog, tag, build
	@$(BIN)/python tools/release.py $(VERSION) $(ARGS)

.PHONY: deployment
deployment: .setup-test ## try deploy/ with real proxies, recovery and a replica
	@$(BIN)/python tools/deployment.py $(ARGS)

.PHONY: pythons
pythons: .setup-run ## the wheel with each Python from 3.11 on that is found
	@$(BIN)/python tools/pythons.py $(ARGS)

.PHONY: lowest
lowest: ## the tests with the lowest declared versions, in .venv-lowest
	@tools/lowest $(ARGS)

.PHONY: coverage
coverage: .setup-test ## how often intervals hold the truth, over N=1000 seeds
	@$(BIN)/python tools/coverage.py $(or $(N),1000)

.PHONY: mutants
mutants: .setup-test .setup-mutants ## break the engine in N=400 places: what do the tests notice?
	@$(BIN)/python tools/mutants.py $(or $(N),400) $(ARGS)

.PHONY: conformance
conformance: .setup-test ## write conformance.md and gli-19.md: the tests of each clause
	@$(BIN)/python tools/conformance.py

.PHONY: reference
reference: .setup-test ## write what docs/reference says of the code, from the code
	@$(BIN)/python tools/read_books.py
	@$(BIN)/python tools/reference.py

.PHONY: docs
docs: .setup-docs ## the documentation as a site, offline; ARGS=serve shows it
	@$(QUIETLY) $(BIN)/python tools/site.py $(ARGS) $(STOPPED)

.PHONY: pictures
pictures: .setup-test ## write docs/pictures: a table, a game, a PAR sheet
	@$(BIN)/python tools/pictures.py
	@tools/pages build
	@$(BIN)/python tools/table_picture.py

.PHONY: notebooks
notebooks: .setup-test ## run docs/notebooks and keep each with its output
	@$(BIN)/python tools/notebooks.py

.PHONY: lock
lock: .setup-lock ## lock the dependencies again; UPGRADE=1 for the newest versions
	@tools/lock $(if $(UPGRADE),--upgrade)

.PHONY: clean
clean: ## remove .venv and everything else that was made here
	@rm -rf .venv .venv-lock .venv-lowest .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist web/node_modules src/punto/server/pages .pages-lock .browser .browser-tests
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: .setup-run .setup-docs .setup-test .setup-lock .setup-mutants
.setup-run .setup-docs .setup-test .setup-lock .setup-mutants: .setup-%:
	@tools/setup $*
