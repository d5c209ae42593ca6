# Every target sets up what it needs: `make test` or `make tournament` may be the first command after a clone.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# The interpreter for .venv: python3 where it is new enough, else a newer one beside it. Set PYTHON=... to choose.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# What `make tournament` plays, and what the command line gets; `make tournament ARGS="einblatt-duel --help"`
ARGS ?= einblatt-duel --out results/duel
# Two workers; the tests of a file share one, so that what they compile is compiled once.
PYTEST_FLAGS ?= -n 2 --dist loadfile
SAMPLES := $(wildcard README.md docs/*.md)

.PHONY: help tournament test test-all mutants lint types bench samples docs clean setup setup-dev

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 14

tournament: .venv/.installed ## play the first tournament; ARGS="..." replaces its arguments
	$(BIN)/probespiel tournament $(ARGS)

test: .venv/.installed-dev ## the quick tests
	$(BIN)/pytest -q -m "not slow" $(PYTEST_FLAGS)

test-all: .venv/.installed-dev ## every test, the slow ones too
	$(BIN)/pytest -q $(PYTEST_FLAGS)

mutants: .venv/.installed-dev ## plant errors and see the tests fail; ARGS="--only PATTERN --jobs N"
	$(BIN)/python tests/mutants/run.py $(if $(findstring command line,$(origin ARGS)),$(ARGS))

lint: .venv/.installed-dev ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev ## static types
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

bench: .venv/.installed-dev ## the benchmarks
	$(BIN)/python -m benchmarks

samples: .venv/.installed-dev ## run the code samples of README.md and docs/, warnings as errors
	$(BIN)/python tests/run_samples.py $(SAMPLES)

docs: .venv/.installed-dev ## write the generated tables and the picture of the house in docs/
	$(BIN)/python -m tests.write_docs

setup: .venv/.installed ## install what playing needs, into .venv

setup-dev: .venv/.installed-dev ## install what developing needs, into .venv

clean: ## remove build outputs and caches (keeps .venv and results)
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -path ./.venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are touched last, so that an installation that broke off is taken up again.
.venv/.installed: pyproject.toml constraints.txt
	@[ -n "$(PYTHON)" ] || { echo "probespiel needs Python 3.11 or newer. On Debian: apt install python3 python3-venv" >&2; exit 1; }
	@[ -x $(BIN)/pip ] || "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		v=$$("$(PYTHON)" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		echo "$(PYTHON) cannot create virtual environments. On Debian: apt install python3-venv (or $$v)" >&2; exit 1; }
	@echo "Installing into .venv; the first time takes some minutes."
	@[ -x $(BIN)/pip ] || "$(PYTHON)" -m venv --clear .venv
	@# torch by itself first: it is by far the largest download, and pip keeps it when a later step fails
	$(PIP) install -q -c constraints.txt torch
	$(PIP) install -q -c constraints.txt -e .
	@# The folders under their installed names, for type checkers and editors, which do not follow an editable install
	@mkdir -p .venv/typing/probespiel
	@ln -sfn ../../../probespiel/__init__.py ../../../probespiel/py.typed .venv/typing/probespiel/
	@for d in envs agents training evaluation app; do ln -sfn "../../../$$d" ".venv/typing/probespiel/$$d"; done
	@touch $@

.venv/.installed-dev: .venv/.installed
	$(PIP) install -q -c constraints.txt -e '.[dev]'
	@touch $@
