# Every target makes .venv and installs what it needs first; when nothing changed that costs a file comparison.

PYTHON ?= python3
VENV ?= .venv
# a worker that crashes ends the run: with a new one in its place the files it had left would be waited for without end
# files go to workers in the order of tests/conftest.py
PYTEST_ARGS ?= -q -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0

PLATFORMS ?= linux-x86-64

BIN := $(VENV)/bin
PYTEST = env -u PHALANX_QUIET $(BIN)/python -m pytest $(PYTEST_ARGS)

export MUJOCO_GL := disable
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run learn test test-torch test-ray conformance first-hour docs soak fingerprints bench bench-gpu start lint stubs
.PHONY: wheel clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

run: $(VENV)/.installed-demo  ## run the demo; pictures in build/demo.png, replays in build/demo.html
	@$(BIN)/phalanx demo --out build/demo.png

learn: $(VENV)/.installed-ppo  ## learn to balance a pole, in seconds; LEARN_ARGS="HalfCheetah-v5 --film build/run.webp" for more
	@$(BIN)/python examples/learning/ppo.py $(LEARN_ARGS)

test: $(VENV)/.installed-test check  ## lint, types and the quick tests, in two processes; PYTEST_ARGS=-q for one
	@$(PYTEST)

conformance: $(VENV)/.installed-test  ## every test, with the heavy sweeps against MuJoCo
	@$(PYTEST) -m "conformance or not conformance"

test-torch: $(VENV)/.installed-test $(VENV)/.installed-adapters  ## tests with PyTorch, TorchRL and Stable-Baselines3 (a large download)
	@$(BIN)/python -m pytest -q -rs tests/derivative/test_gradients.py tests/learn/adapters tests/learn/test_environments.py

test-ray: $(VENV)/.installed-test $(VENV)/.installed-ray  ## tests of many machines, with Ray on this one
	@$(BIN)/python -m pytest -q -rs tests/learn/distributed

first-hour: $(VENV)/.installed-test  ## try all that a new user tries, with the wheel in a fresh environment without MuJoCo
	@$(BIN)/python -m tools.first_hour $(FIRST_HOUR_ARGS)

docs: $(VENV)/.installed-docs  ## the documentation as a site, in build/site; a warning or a broken link is an error
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/site
	@$(BIN)/python -m tools.check_site build/site
	@echo "build/site/index.html"

soak: $(VENV)/.installed-test  ## step a mix of models 10^9 times and compare; SOAK_ARGS="--minutes 10 --seed 1" for less
	@$(BIN)/python -m tools.soak $(SOAK_ARGS)

fingerprints: $(VENV)/.installed-test  ## write the table of trajectory fingerprints, after results changed on purpose
	@$(BIN)/python -m tools.write_fingerprints

bench: $(VENV)/.installed-bench $(VENV)/.installed-envpool  ## the benchmarks, and docs/performance.md from them; QUICK=1, NAMES="humanoid", RUNS=3
	@$(BIN)/python -m benchmarks.run $(NAMES) $(if $(QUICK),--quick) $(if $(RUNS),--runs $(RUNS)) $(BENCH_ARGS)

bench-gpu: $(VENV)/.installed-bench $(VENV)/.installed-cuda  ## worlds on a GPU, beside MuJoCo Warp if it is installed; GPU_ARGS="--worlds 4096"
	@$(BIN)/python -m benchmarks.gpu $(GPU_ARGS)

start: $(VENV)/.installed-bench  ## how long the first step takes from nothing, beside the budgets
	@$(BIN)/python -m benchmarks.start --quick

lint: $(VENV)/.installed-lint check  ## ruff and mypy

stubs: $(VENV)/.installed-lint  ## write the stubs and the reference pages from the tables
	@$(BIN)/python -m tools.write_stubs
	@$(BIN)/python -m tools.write_reference

wheel: $(VENV)/.installed-wheel  ## a wheel with ready-made machine code, in dist/; PLATFORMS=all for every platform
	@$(BIN)/python -m tools.build_wheels --platform $(PLATFORMS)

clean:  ## remove caches and build products; .venv stays
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: check
check:
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary

# .venv/.installed-test stands for `pip install -e .[test]`, done after the last change of pyproject.toml
$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	@echo "installing phalanx[$*] into $(VENV) ..."
	@$(BIN)/python -m pip install -qq --editable ".[$*]"
	@touch $@

$(BIN)/python:
	@$(PYTHON) -m venv $(VENV)
