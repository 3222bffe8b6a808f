# The two commands of the README, and what the founders use every day. Needs Python >= 3.11 and make, nothing else.

PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11 python,\
  $(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $(p))))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test coverage test-lts lint format types bench reference lock clean

help:  ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.runs  ## install, start a real Neo4j, remember real notes, consolidate them, show what happened
	@$(BIN)/python examples/demo.py

test: $(VENV)/.develops  ## lint, types, and every test on a real Neo4j
	@$(MAKE) --no-print-directory lint types
	$(BIN)/python -m pytest --numprocesses=2 --dist=loadfile $(PYTEST_ARGS)

coverage: $(VENV)/.develops  ## the tests again, and which lines and branches they reach
	$(BIN)/python -m pytest --numprocesses=2 --dist=loadfile --cov --cov-report=term $(PYTEST_ARGS)

test-lts: $(VENV)/.develops  ## the tests on Neo4j 5.26 LTS, where a Java 17 or 21 is present
	BRAINBRIDGE_TEST_NEO4J=5.26.30 $(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.develops  ## ruff and the floors between the packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: $(VENV)/.develops  ## let ruff write the files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.develops  ## mypy, strict
	$(BIN)/mypy

bench: $(VENV)/.develops  ## measure, and write docs/benchmarks.md (about 20 minutes on a quiet machine)
	$(BIN)/python bench/bench_start.py --write
	$(BIN)/python -m bench.bench_hooks --write
	$(BIN)/python -m bench.bench_recall --write
	$(BIN)/python bench/bench_passes.py --sizes 10k,100k,1m --write
	$(BIN)/python -m bench.bench_life --sizes 10k,100k,1m --write
	$(BIN)/python -m bench.bench_page --sizes 10k --write

reference: $(VENV)/.develops  ## write the generated pages of docs/reference
	$(BIN)/python tools/make_reference.py

lock: $(VENV)/.develops  ## choose the newest versions that fit, and pin them with their hashes
	$(PIP) install --quiet uv
	$(BIN)/uv pip compile --quiet $(LOCK_ARGS) --extra dev -o requirements-dev.lock pyproject.toml
	$(BIN)/uv pip compile --quiet $(LOCK_ARGS) --extra local --extra fast --extra web --extra build -c requirements-dev.lock -o requirements.lock pyproject.toml
LOCK_ARGS := --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header

clean:  ## remove the virtual environment and the caches of the tools
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage*

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "brainbridge needs Python 3.11 or newer, and finds none. Install one, or say make PYTHON=/path/to/python3." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# hatchling and editables come from the lock, so that building needs nothing that is not pinned.
$(VENV)/.runs: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --require-hashes -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.develops: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.runs
