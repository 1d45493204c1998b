# Needs Python 3.11+, make and git. Everything else goes into .venv, at the versions and hashes of the
# locks: `make run` installs requirements-run.lock, everything else requirements.lock.
#
#   PYTHON=python3.12      which Python .venv is made with
#   PYTEST_ARGS="-k undo"  more arguments for pytest
#   CORES=1                how many processes run the tests; auto: as many as there are cores
#   UPGRADE=1              `make lock` takes the newest versions instead of keeping the locked ones

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUN_READY := $(VENV)/.run-ready
PYTHON ?=
PYTEST_ARGS ?=
CORES ?= auto
UPGRADE ?=
STRESS_ARGS ?=
BENCH_ARGS ?=
SEARCH_BENCH_ARGS ?=

# Tests and benchmarks start hundreds of processes: each would compile the whole package again where the environment
# says that byte code is not kept.
export PYTHONDONTWRITEBYTECODE :=

COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links

.DEFAULT_GOAL := help
.PHONY: help run test test-stores test-clients lint format stress bench bundle lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: $(if $(wildcard $(READY)),$(READY),$(RUN_READY)) ## open Commonplace: the chat
	@$(BIN)/commonplace chat

test: lint ## lint, then run the tests
	@$(BIN)/python -m pytest --numprocesses $(CORES) --dist worksteal $(PYTEST_ARGS)

test-stores: $(READY) ## the behaviour tests again, on books in memory and in Postgres
	@$(BIN)/python -m pytest --numprocesses $(CORES) --dist worksteal --store=memory $(PYTEST_ARGS)
	@$(BIN)/python -m pytest --numprocesses $(CORES) --dist worksteal --store=postgres $(PYTEST_ARGS)

test-clients: $(READY) ## the program as it is installed, and in real clients (asks the registries)
	@$(BIN)/python -m pytest -m clients --numprocesses $(CORES) --dist loadgroup $(PYTEST_ARGS)

lint: $(READY) ## ruff, basedpyright and the import rules
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/basedpyright
	@$(BIN)/lint-imports --no-logo

format: $(READY) ## sort imports, fix what ruff can fix, format
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

stress: $(READY) ## kill, contend and fail at full length (minutes)
	@$(BIN)/python -m tests.stress $(STRESS_ARGS)

bench: $(READY) ## measure writes, start-up and search (minutes)
	@$(BIN)/python benchmarks/writes.py $(BENCH_ARGS)
	@$(BIN)/python benchmarks/search.py $(SEARCH_BENCH_ARGS)
	@$(BIN)/python benchmarks/growth.py $(GROWTH_BENCH_ARGS)

bundle: $(READY) ## dist/commonplace.mcpb for Claude Desktop (asks the npm registry)
	@$(BIN)/python tools/bundle.py

lock: $(BIN)/uv ## resolve the dependencies again into the two locks
	@$(COMPILE) $(if $(UPGRADE),--upgrade) --group dev --output-file requirements.lock pyproject.toml >/dev/null
	@$(COMPILE) --constraint requirements.lock --group run --extra chat \
		--output-file requirements-run.lock pyproject.toml >/dev/null
	@$(COMPILE) --constraint requirements.lock --group run --extra postgres --extra anthropic --extra openai \
		--output-file deploy/requirements.lock pyproject.toml >/dev/null
	@! grep -nE '://|^ *-' requirements.lock requirements-run.lock deploy/requirements.lock | grep -v -- '--hash=sha256:' \
		|| { echo "A lock must hold no address and no option." >&2; exit 1; }

clean: ## remove .venv, caches and build output
	@rm -rf $(VENV) .bench-venv build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A Python counts only if it runs, is new enough and can make a virtual environment (Debian ships some that cannot).
$(BIN)/python:
	@chosen=; for candidate in $(if $(PYTHON),'$(PYTHON)',python3.13 python3.12 python3.11 python3); do \
		if "$$candidate" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
			chosen=$$candidate; break; \
		fi; \
	done; \
	if [ -z "$$chosen" ]; then \
		echo "Commonplace needs Python 3.11 or newer with the venv and ensurepip modules; found none$(if $(PYTHON), at '$(PYTHON)')." >&2; \
		echo "Install one (on Debian and Ubuntu also python3-venv), or name it: make PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$("$$chosen" --version)"; \
	"$$chosen" -m venv $(VENV)

# uv itself comes from the lock, so that its hash is checked as well.
$(BIN)/uv: | $(BIN)/python
	@awk '/^[^ #]/ {wanted = /^uv==/} wanted' requirements.lock > $(VENV)/uv.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r $(VENV)/uv.lock

# What running needs and no more: pip alone does it, without the tools of whoever develops.
$(RUN_READY): requirements-run.lock pyproject.toml | $(BIN)/python
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-run.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-index --no-build-isolation --editable .
	@touch $@

# Only a lock that reads differently is synced, since that asks the registry; the rest works offline.
$(READY): requirements.lock pyproject.toml | $(BIN)/uv
	@cmp -s requirements.lock $(VENV)/synced.lock || { \
		$(BIN)/uv pip sync --quiet --python $(BIN)/python --compile-bytecode --require-hashes requirements.lock && \
		cp requirements.lock $(VENV)/synced.lock; }
	@$(BIN)/uv pip install --quiet --offline --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@
