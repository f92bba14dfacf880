# Needs python3.11 or newer and make (test-engines: Java 17 too). Everything goes into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# As many tests at once as there are cores; more would only share them.
PYTEST := -m pytest --numprocesses auto --dist worksteal

.PHONY: demo test test-paper test-engines test-install check bench wheels clean help

help:            ## this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

demo: $(VENV)/tables ## install, then find the strange rows of a table of visits, with a report
	$(BIN)/slad demo

test: $(VENV)/test   ## install, then test the library and the tool
	OMP_NUM_THREADS=1 $(BIN)/python $(PYTEST) -m 'not engines and not install' $(ARGS)

test-paper: $(VENV)/paper ## install the laboratory (paper/), then test it
	cd paper && OMP_NUM_THREADS=1 ../$(BIN)/python $(PYTEST) $(ARGS)

test-engines: $(VENV)/engines ## install Spark, Ray, Dask and ONNX, then test them
	@command -v java >/dev/null || echo "Java not found: the Spark tests skip (install Java 17)" >&2
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m engines tests $(ARGS)

test-install: $(VENV)/test ## build wheels and sdists, install them into fresh environments
	$(BIN)/python $(PYTEST) -m install tests/test_packaging.py $(ARGS)

check: $(VENV)/check ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/bench ## speed and memory against peers in one run
	$(BIN)/python benchmarks/speed.py $(ARGS)

wheels: $(VENV)/pip  ## wheel and sdist of both distributions, in dist/
	$(PIP) install -c constraints.txt build
	$(BIN)/python -m build --outdir dist . && $(BIN)/python -m build --outdir dist paper

$(VENV)/pip:
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "slad needs python 3.11 or newer, this is %d.%d" % v)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/tables $(VENV)/test $(VENV)/engines: $(VENV)/%: $(VENV)/pip pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[$*]'
	@touch $@

$(VENV)/check $(VENV)/bench: $(VENV)/%: $(VENV)/pip pyproject.toml paper/pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[$*]' -e paper
	@touch $@

$(VENV)/paper: $(VENV)/pip pyproject.toml paper/pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[test]' -e 'paper[test]'
	@touch $@

clean:           ## remove the virtual environment and caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
