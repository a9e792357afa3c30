# phonectl: `make demo` shows it at work without a phone, `make test` passes the tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: setup demo test check bench peers format clean

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(f"phonectl needs Python 3.11 or newer, {sys.executable} is {v[0]}.{v[1]}: make PYTHON=python3.11 setup") if v < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	@touch $(READY)

demo: setup
	$(BIN)/phonectl --device virtual run demo

test: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/phonectl lint

bench: setup
	$(BIN)/python -m tests.bench $(ARGS)

# make peers ADBUTILS=DIR UIAUTOMATOR2=DIR: the test suites of these checkouts against the virtual phone.
peers: setup
	$(BIN)/python -m tests.peers $(if $(ADBUTILS),--adbutils $(ADBUTILS)) $(if $(UIAUTOMATOR2),--uiautomator2 $(UIAUTOMATOR2)) $(ARGS)

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build dist runs .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache
