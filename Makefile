# One word for everything people do here; `make help` lists them.

PYTHON ?= python3
BIN := .venv/bin
LOCK := requirements/dev.txt
READY := .venv/.ready
NPM := $(BIN)/python hatch_build.py
CLIENT := src/bullpen/server/static/index.html
NODE_MODULES := web/node_modules/.ready
PAGE := web/package-lock.json web/index.html $(shell find web/src web/art web/offline web/public web/*.ts -type f 2>/dev/null)

# `make play` needs only a small environment; Node is removed before the rest is installed, since it is larger.
# It uses the developers' environment where that is built already; `make env` builds it on top of the small one.
ifeq ($(MAKECMDGOALS)$(wildcard $(READY)),play)
SMALL := yes
LOCK := requirements/play.txt
READY := .venv/.play
$(READY): | $(CLIENT)
else
PAGE += $(NODE_MODULES)
endif

.DEFAULT_GOAL := help
.PHONY: machine-code help env web browser play test test-web soak lint lint-python lint-web bench docs screenshots lock clean

help: ## list these words
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' Makefile

env: $(READY) ## build .venv with everything in requirements/dev.txt

$(READY): $(LOCK) pyproject.toml tools/make-env
	PYTHON=$(PYTHON) LOCK=$(LOCK) tools/make-env
	@touch $@

web: $(CLIENT) ## build the browser client; Node comes with .venv, or only for this

$(NODE_MODULES): web/package-lock.json $(READY)
	$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

$(CLIENT): $(PAGE)
ifdef SMALL
	PYTHON=$(PYTHON) tools/make-env page
else
	$(NPM) run --silent build -- --logLevel warn
endif
	@touch $@

browser: env ## find a browser for the tests, or install one
	$(BIN)/python tools/get_browser.py

play: env web ## start the server and open a table in the browser
	$(BIN)/bullpen serve --host 0.0.0.0 --limits home --open

test: browser ## everything that must hold: lint, docs, tests, coverage
	@$(MAKE) --jobs=2 --output-sync=target lint-python machine-code lint-web docs web test-web
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report=term --cov-report=json:coverage.json
	@$(BIN)/python tools/branch_coverage.py coverage.json 95 engine rulesets

# What strong bots and the analysis need, compiled once while nobody waits for it, not by every worker.
machine-code: env
	$(BIN)/bullpen prepare

soak: browser web ## the tests again, with many more random games
	BULLPEN_SOAK=1 $(BIN)/python -m pytest -n auto --dist loadgroup
	BULLPEN_TEST_STORE=postgres $(BIN)/python -m pytest -n auto --dist loadgroup tests/server

lint: lint-python lint-web ## style, types and who may import whom

lint-python: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

lint-web: $(NODE_MODULES)
	$(NPM) run --silent lint
	$(NPM) run --silent check

test-web: $(NODE_MODULES)
	$(NPM) run --silent test

bench: env ## measure speed (never part of the tests)
	@set -e; for script in $(wildcard benchmarks/[a-z]*.py); do echo "== $$script"; $(BIN)/python $$script; done

docs: env ## build the documentation site into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

screenshots: browser web ## take the pictures of the documentation anew, and all games on sheets to be looked at
	$(BIN)/python tools/screenshots.py
	$(BIN)/python tools/screenshots.py --games

COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-emit-find-links --no-annotate --custom-compile-command 'make lock' --quiet

lock: ## bring the lock files in line with pyproject.toml; UPGRADE=--upgrade for newest versions (needs uv)
	$(COMPILE) $(UPGRADE) pyproject.toml --extra all --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --extra server --extra bots --group play -c requirements/dev.txt --output-file requirements/play.txt
	$(COMPILE) --group page -c requirements/dev.txt --output-file requirements/page.txt

clean: ## remove what was built, except .venv
	rm -rf dist site src/bullpen/server/static web/node_modules .coverage .coverage.* coverage.json .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests tools -name __pycache__ -prune -exec rm -rf {} +
