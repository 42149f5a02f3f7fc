# Warpboard: every command a contributor needs. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
ARCHS ?= sm_75 sm_80 sm_90

.PHONY: help demo test attacks test-gpu screenshots lint bench bench-sandbox bench-timing frontend references reference-results clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

$(INSTALLED): constraints.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable '.[site,judge,dev]'
	touch $@

demo: $(INSTALLED) ## judge every reference kernel and serve the site on 127.0.0.1:8000 (ONCE=1: exit after)
	$(BIN)/python -m stack.demo $(if $(filter 1,$(ONCE)),--once)

test: $(INSTALLED) ## the whole test-suite
	$(BIN)/python -m pytest

attacks: $(INSTALLED) ## judge the attack corpus here (SANDBOX=docker for that back end)
	WARPBOARD_SANDBOX=$(or $(SANDBOX),auto) $(BIN)/python -m bench.attacks

test-gpu: $(INSTALLED) ## the tests that need a GPU; records bench/results/test-gpu-<device>.json
	$(BIN)/python -m bench.gpu_tests

screenshots: $(INSTALLED) ## photograph every page, light and dark, into docs/screenshots
	$(BIN)/python -m stack.screenshots

lint: $(INSTALLED) ## format, style, types and the rules of who imports whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(INSTALLED) ## seconds from submit to verdict, overhead a sample, runs an hour
	$(BIN)/python -m bench.end_to_end

bench-site: $(INSTALLED) ## server time, queries and weight of every page at 10,000 entries
	$(BIN)/python -m bench.site

bench-sandbox: $(INSTALLED) ## what each sandbox adds to a run; records bench/results/sandbox.json
	$(BIN)/python -m bench.sandbox

bench-timing: $(INSTALLED) ## our clocks beside nvbench's and triton's on this GPU (bench/results, docs)
	$(BIN)/python -m bench.timing

reference-results: $(INSTALLED) ## judge all reference kernels here; records reference_kernels/results
	$(BIN)/python -m bench.references

references: $(INSTALLED) ## compile every reference kernel for ARCHS="sm_75 sm_80 sm_90"
	$(BIN)/python -m judge.compiler.references $(ARCHS)

frontend: ## rebuild the site's scripts (needs Node 20 and npm; what is built is committed)
	cd webapp/frontend && npm ci --ignore-scripts --no-audit --no-fund && node build.js

clean: ## remove what was built; keeps var/, the demo's data
	rm -rf $(VENV) build *.egg-info
