# Everything a fresh machine needs is set up by the targets themselves: Python >= 3.11 and make.
PYTHON ?= python3
VENV   ?= .venv
WEBS   ?= ../shared/webs
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
WORKERS ?= auto
OUT    ?= out/scent

# Tests start many processes, and each would compile the whole package again. What is installed is
# compiled when it is imported, which most of it never is.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable
WITH_PLAYWRIGHT := $(BIN)/python -c 'import playwright' 2> /dev/null || $(INSTALL) '.[dev,js]'

.PHONY: demo test lint types imports unit browser gate bench bench-neural bench-ontology bench-scent bench-distributed docs tutorial screenshots clean

demo: $(READY)  ## serve the embedded sample web on loopback and crawl it live
	$(BIN)/scenthound demo

test: lint types imports unit  ## everything that must hold before a change lands
	@echo "left out: the tests that need a browser; run them with: make browser"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

unit: $(READY)  ## the tests, on every core; WORKERS=0 for one after the other
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder

browser: $(READY)  ## the dashboard, pages that need JavaScript; with a Chromium (apt install chromium)
	$(WITH_PLAYWRIGHT)
	$(BIN)/python -m pytest tests/browser --numprocesses $(WORKERS) --maxprocesses 2 --dist loadfile

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
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
