# Needs python3.11 or newer and make. Everything is installed into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check bench fidelity clean help

help:            ## this list
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

demo: $(VENV)/tables ## install, then find the strange rows of a table of visits, with a report
	$(BIN)/slad demo

test: $(VENV)/test   ## install, then run the tests
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/check ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/bench ## speed and memory against peers in one run
	$(BIN)/python benchmarks/speed.py $(ARGS)

fidelity: $(VENV)/tables ## what each difference between paper and code is worth (needs SLAD_DATA)
	$(BIN)/python -m slad.experiments.fidelity $(ARGS)

$(VENV)/pip:
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "slad needs python 3.11 or newer, this is %d.%d" % v)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/tables $(VENV)/test $(VENV)/check $(VENV)/bench: $(VENV)/%: $(VENV)/pip pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[$*]'
	@touch $@

clean:           ## remove the virtual environment and caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
