# Every target sets up what it needs: `make test` or `make tournament` may be the first command after a clone.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# The interpreter for .venv: python3 where it is new enough, else a newer one beside it. Set PYTHON=... to choose.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

# The environment; another one beside it for another interpreter: `make test PYTHON=python3.13 VENV=.venv-3.13`
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# What `make tournament` plays, and what the command line gets; `make tournament ARGS="einblatt-duel --help"`
ARGS ?= einblatt-duel
# Tests start some hundred processes: what they import is translated once, even for those whose shell forbids it; what pip
# translated is taken as it is.
TRANSLATED := env -u PYTHONDONTWRITEBYTECODE -u PYTHONPYCACHEPREFIX
# Two workers; the tests of a file share one, so that what they compile is compiled once.
PYTEST_FLAGS ?= -n 2 --dist loadfile --no-loadscope-reorder
SAMPLES := $(wildcard README.md docs/*.md docs/measurements/*.md)

.PHONY: help tournament test test-all test-versions mutants faults clients lint types bench samples docs clean setup setup-dev

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 14

tournament: $(VENV)/.installed ## play the first tournament; ARGS="..." replaces its arguments
	$(BIN)/probespiel tournament $(ARGS)

test: $(VENV)/.installed-dev ## the quick tests
	$(TRANSLATED) $(BIN)/pytest -q -m "not slow" $(PYTEST_FLAGS)

test-versions: ## the quick tests on every supported Python that is found here, each in an environment of its own
	@for v in 3.11 3.12 3.13; do \
		python$$v --version >/dev/null 2>&1 || { echo "python$$v is not found here: left out"; continue; }; \
		$(MAKE) test PYTHON=python$$v VENV=.venv-$$v || exit 1; \
	done

test-all: $(VENV)/.installed-dev ## every test, the slow ones too
	$(TRANSLATED) $(BIN)/pytest -q $(PYTEST_FLAGS)

mutants: $(VENV)/.installed-dev ## plant errors and see the tests fail, in an hour or two; ARGS="--only PATTERN --jobs 2 --sample 250"
	$(BIN)/python tests/mutants/run.py $(if $(findstring command line,$(origin ARGS)),$(ARGS))

faults: $(VENV)/.installed-dev ## kill, fill up, tear, lie: the fault campaign, under an hour; ARGS="--only texts --share 0.1"
	$(TRANSLATED) $(BIN)/python -m tests.faults.run $(if $(findstring command line,$(origin ARGS)),$(ARGS))

clients: ## every game in the environments of TorchRL, Tianshou, SuperSuit and RLlib, installed beside this project
	$(MAKE) setup VENV=.venv-clients
	.venv-clients/bin/python -m pip --disable-pip-version-check install -q -c constraints.txt -e '.[clients]'
	.venv-clients/bin/python -m tests.clients $(if $(findstring command line,$(origin ARGS)),$(ARGS))

lint: $(VENV)/.installed-dev ## style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev ## static types
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

bench: $(VENV)/.installed-dev ## the benchmarks
	$(BIN)/python -m benchmarks

samples: $(VENV)/.installed-dev ## run the code samples of README.md and docs/, warnings as errors
	$(BIN)/python tests/run_samples.py $(SAMPLES)

docs: $(VENV)/.installed-dev ## write the generated tables and the picture of the house in docs/
	$(BIN)/python -m tests.write_docs

setup: $(VENV)/.installed ## install what playing needs, into .venv

setup-dev: $(VENV)/.installed-dev ## install what developing needs, into .venv

clean: ## remove build outputs and caches (keeps .venv and results)
	rm -rf build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -path "./.venv*" -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are touched last, so that an installation that broke off is taken up again.
$(VENV)/.installed: pyproject.toml constraints.txt
	@[ -n "$(PYTHON)" ] || { echo "probespiel needs Python 3.11 or newer. On Debian: apt install python3 python3-venv" >&2; exit 1; }
	@[ -x $(BIN)/pip ] || "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		v=$$("$(PYTHON)" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		echo "$(PYTHON) cannot create virtual environments. On Debian: apt install python3-venv (or $$v)" >&2; exit 1; }
	@echo "Installing into $(VENV); the first time takes some minutes."
	@[ -x $(BIN)/pip ] || "$(PYTHON)" -m venv --clear $(VENV)
	@# torch by itself first: it is by far the largest download, and pip keeps it when a later step fails
	$(PIP) install -q -c constraints.txt torch
	$(PIP) install -q -c constraints.txt -e .
	@# The folders under their installed names, for type checkers and editors, which do not follow an editable install
	@mkdir -p $(VENV)/typing/probespiel
	@ln -sfn ../../../probespiel/__init__.py ../../../probespiel/py.typed $(VENV)/typing/probespiel/
	@for d in envs agents training evaluation app; do ln -sfn "../../../$$d" "$(VENV)/typing/probespiel/$$d"; done
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) install -q -c constraints.txt -e '.[dev]'
	@touch $@
