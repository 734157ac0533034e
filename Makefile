# make demo   sets everything up (compilers included) and shows all languages
# make test   sets everything up and runs the checks and the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test slow setup toolchains lint clean

demo: setup
	HF_ALLOW_CODE_EVAL=1 $(BIN)/mbxp demo

test: setup lint
	$(BIN)/python -m pytest

slow: setup
	$(BIN)/python -m pytest -m "slow or not slow"

setup: toolchains $(READY)

$(READY): setup.cfg pyproject.toml tests/constraints.txt
	@# Debian ships venv apart from Python
	$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || apt-get install -y -q python3-venv || sudo apt-get install -y -q python3-venv
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c tests/constraints.txt -e '.[humaneval,test]'
	touch $(READY)

toolchains:
	bash mbxp_metric/execution/toolchains.sh

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache
