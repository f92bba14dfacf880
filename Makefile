# Needs python3.11 or newer and make (test-engines: Java 17 too). Everything goes into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# As many tests at once as there are cores; more would only share them.
TESTS  := $(BIN)/python -m pytest --numprocesses auto --dist worksteal

.PHONY: demo test test-engines check bench fidelity clean help

help:            ## this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

demo: $(VENV)/tables ## install, then find the strange rows of a table of visits, with a report
	$(BIN)/slad demo

test: $(VENV)/test   ## install, then run the tests
	OMP_NUM_THREADS=1 $(TESTS) -m 'not engines' $(ARGS)

test-engines: $(VENV)/engines ## install Spark, Ray, Dask and ONNX, then run their tests
	@command -v java >/dev/null || echo "no Java here: the tests of Spark skip (Java 17 serves)" >&2
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m engines tests/engines $(ARGS)

check: $(VENV)/check ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/bench ## speed and memory against peers in one run
	$(BIN)/python benchmarks/speed.py $(ARGS)

fidelity: $(VENV)/tables ## what each difference between paper and code is worth (needs SLAD_DATA)
	cd paper && ../$(BIN)/slad reproduce fidelity $(ARGS)

$(VENV)/pip:
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "slad needs python 3.11 or newer, this is %d.%d" % v)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/tables $(VENV)/test $(VENV)/engines $(VENV)/check $(VENV)/bench: $(VENV)/%: $(VENV)/pip pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[$*]'
	@touch $@

clean:           ## remove the virtual environment and caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
