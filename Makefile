# Every command of this repository: `make help` lists them, with times on two cores. Those that
# need .venv prepare it first (setup/prepare), which takes no time when nothing changed.
SHELL := /bin/bash
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: report test test-all test-rest lint format docs site man peers fuzz build wheels release clean help

in_venv := PATH="$$PWD/.venv/bin:$$PATH"
each_cpp := find native engines peers fuzz -regex '.*\.\(h\|hpp\|c\|cpp\)' -print0 | xargs -0 -r

report: ## measure this machine in six minutes (BUDGET=10m MEASURE=stream), write report.html
	@SECONDS=0; setup/prepare run || exit; budget=$(BUDGET); \
	: "$${budget:=$$((SECONDS < 190 ? 350 - SECONDS : 160))s}"; \
	.venv/bin/stend run --quick --budget "$$budget" -o "$$PWD/report.html" --open $(MEASURE) || \
		[ $$? = 5 ] # 5: a case failed, and the report says which

test: ## run the tests whose programs are installed: 8 minutes (ROOM=store)
	@tests/gates.sh first $(ROOM)

test-all: ## install services and emulators, and run everything: 22 minutes
	@tests/gates.sh first; first=$$?; tests/gates.sh rest && exit $$first

test-rest:
	@tests/gates.sh rest

lint: ## ruff, mypy (strict) and clang-format, changing nothing
	@setup/prepare run lint
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	$(each_cpp) .venv/bin/clang-format --dry-run -Werror

format: ## let ruff and clang-format rewrite the sources
	@setup/prepare run lint
	.venv/bin/ruff check --fix
	.venv/bin/ruff format
	$(each_cpp) .venv/bin/clang-format -i

docs: ## update the generated parts of the documents: commands, outputs …
	@setup/prepare run
	.venv/bin/python docs/generate.py

site: ## build the documentation site into build/site: half a minute
	@setup/prepare site
	.venv/bin/python docs/site_build.py

man: ## write the manual pages into build/man
	@setup/prepare run
	.venv/bin/python docs/man_pages.py build/man

peers: ## measure side by side with other people's software
	@setup/prepare run peers
	@for peer in peers/*/run.sh engines/*/peers/run.sh; do echo "== $$peer"; $(in_venv) bash "$$peer" || exit; done

fuzz: ## feed broken input to every target of fuzz/ (FOR=60 seconds each)
	@setup/prepare run
	@for target in fuzz/*.py engines/*/fuzz/*.py; do .venv/bin/python "$$target" $(or $(FOR),60) || exit; done
	@for target in engines/*/fuzz/*.sh; do $(in_venv) bash "$$target" $(or $(FOR),60) || exit; done

build: ## build archives and this machine's wheels into dist/, and try them
	@setup/prepare build
	@setup/build

wheels: ## build wheels for x86-64, AArch64 and RISC-V (ARCH=riscv64)
	@setup/prepare build
	@.venv/bin/python setup/wheels.py $(ARCH)

release: ## make a release in dist/ twice, and check that both are identical
	@setup/prepare build
	@setup/release $(ARCH)

clean: ## remove builds, environments and caches
	rm -rf .venv build dist report.html .hypothesis .mypy_cache .pytest_cache .ruff_cache

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile
