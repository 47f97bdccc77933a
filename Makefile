# Everything a fresh machine needs is set up by the targets themselves: Python >= 3.11 and make.
PYTHON ?= python3
VENV   ?= .venv
WEBS   ?= ../shared/webs
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# One more than there are cores: many tests wait for a process that they have started.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# What the docs, the examples and the benchmarks promise: a job of its own.
DOC_TESTS := $(addprefix tests/,docs examples benchmarks quality test_docs.py test_readme.py test_doctests.py)
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile
OUT    ?= out/scent
RUNS   ?= 5

# Tests start many processes, and each would compile the whole package again. What is installed is
# compiled when it is imported, which most of it never is.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable
WITH_PLAYWRIGHT := $(BIN)/python -c 'import playwright' 2> /dev/null || $(INSTALL) '.[dev,js]'

.PHONY: demo test lint types imports unit test-docs loaded coverage house browser gate bench bench-neural bench-ontology bench-scent bench-distributed docs tutorial screenshots clean

demo: $(READY)  ## serve the embedded sample web on loopback and crawl it live
	$(BIN)/scenthound demo

test: lint types imports unit  ## everything that must hold before a change lands
	@echo "left out: docs, examples and benchmarks (make test-docs), and what needs a browser (make browser)"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

unit: $(READY)  ## the tests, on every core; WORKERS=0 for one after the other
	$(PYTEST) --maxprocesses 8 --no-loadscope-reorder $(addprefix --ignore=,$(DOC_TESTS))

test-docs: $(READY)  ## the tests of the docs, the examples and the benchmarks
	$(PYTEST) --maxprocesses 8 $(DOC_TESTS)

loaded: $(READY)  ## the unit tests, RUNS times, beside a busy loop on every core: finds tests that count on speed
	@trap 'kill $$loops' EXIT; \
	for core in $$(seq $$(getconf _NPROCESSORS_ONLN)); do (while :; do :; done) & loops="$$loops $$!"; done; \
	for run in $$(seq $(RUNS)); do echo "run $$run of $(RUNS)"; $(MAKE) unit || exit 1; done

coverage: $(READY)  ## which lines of src the unit tests reach; child processes are counted too
	$(PYTEST) --maxprocesses 8 $(addprefix --ignore=,$(DOC_TESTS)) --cov=scenthound --cov-report=term:skip-covered

house: $(READY)  ## size of the code beside its ceilings
	$(BIN)/python -m tools.house

browser: $(READY)  ## the dashboard, pages that need JavaScript; with a Chromium (apt install chromium)
	$(WITH_PLAYWRIGHT)
	$(PYTEST) --maxprocesses 2 --no-loadscope-reorder tests/browser

gate: $(READY)  ## harvest on the real webs must not fall below quality/floors.json
	$(BIN)/python -m quality.gate --webs $(WEBS)

bench: $(READY)  ## speed as a ratio, memory, the whole of the campus web
	$(BIN)/python -m benchmarks.run --webs $(WEBS)

bench-neural: $(READY)  ## crawlers on vectors of words and texts: harvest, speed, cache; hours on two cores
	$(BIN)/python -u -m benchmarks.neural --webs $(WEBS)

bench-ontology: $(READY)  ## ontology learning, PageRank, choice of links: what they cost; harvest (15 min)
	$(BIN)/python -u -m benchmarks.ontology --webs $(WEBS)

bench-scent: $(READY)  ## the default strategy beside all others: harvest, parameters, cost; hours on two cores
	$(BIN)/python -u -m benchmarks.scent --webs $(WEBS) --out $(OUT)

bench-distributed: $(READY)  ## many workers on a real server: speed, kills, cluster, politeness, harvest, cost; an hour
	$(BIN)/python -u -m benchmarks.distributed --webs $(WEBS) --out out/distributed

docs: $(READY)  ## the documentation site, into site/
	$(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

screenshots: $(READY)  ## the pictures in docs/images, with a Chromium that is installed
	$(WITH_PLAYWRIGHT)
	$(BIN)/python -m tools.screenshots

tutorial:  ## every command of docs/tutorial.md, from a fresh environment on
	$(PYTHON) -m tools.tutorial --install

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Scenthound needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV) .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
