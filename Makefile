# headroom: `make` alone lists the targets.
#
# Everything but Go, git, make and Java is built or installed below .tools, pinned by
# tools/*/go.mod and tests/jvm/install.sh, and kept between runs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# One value for every build: mixing compiles the large dependencies twice.
export CGO_ENABLED := 0

TOOLS   := $(CURDIR)/.tools
BIN     := $(TOOLS)/bin
OPA     := $(BIN)/opa
POLICY  := policies/rego
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION)

##@ Use

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} \
		/^##@/ {printf "\n%s\n", substr($$0, 5)} \
		/^[a-zA-Z_-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/headroom, with the policies compiled
	go run ./tools/image
	go build -trimpath -ldflags "$(LDFLAGS)" -o bin/headroom ./cmd/headroom

.PHONY: demo
demo: build ## Lint samples/: every severity, with the arithmetic
	@bin/headroom lint samples --fail-on never

##@ Check

.PHONY: test
test: generated rego gotest ## Everything: generated files, Rego, Go, conftest, real JVMs

.PHONY: generated
generated: ## Fail when a generated file is not what `make generate` writes
	go run ./tools/generate -check

.PHONY: rego
rego: $(OPA) ## opa fmt, opa check --strict, opa test at 100 % of the lines
	@test -z "$$($(OPA) fmt --list $(POLICY))" || { echo "not formatted:"; $(OPA) fmt --list $(POLICY); exit 1; }
	$(OPA) check --strict $(POLICY)
	$(OPA) test --bundle $(POLICY) --timeout 120s
	$(OPA) test --bundle $(POLICY) --timeout 120s --coverage | go run ./tools/coverage

.PHONY: gotest
gotest: $(BIN)/conftest jdks ## go vet and go test
	go vet ./...
	go test -timeout 40m ./...

.PHONY: lint
lint: $(BIN)/golangci-lint ## golangci-lint
	$(BIN)/golangci-lint run

.PHONY: fuzz
fuzz: ## Each fuzz target for FUZZTIME (default 1m)
	@for target in $$(grep -rhoE '^func (Fuzz[A-Za-z]+)' --include=*_test.go . | awk '{print $$2}' | sort -u); do \
		package=$$(grep -rlE "^func $$target\(" --include=*_test.go . | head -1 | xargs dirname); \
		echo "== $$target in $$package"; \
		go test -run '^$$' -fuzz "^$$target$$" -fuzztime $${FUZZTIME:-1m} $$package; \
	done

.PHONY: bench
bench: build $(BIN)/conftest $(BIN)/kube-score ## What a decision and a run cost, beside kube-score and conftest
	go run ./tests/bench -headroom bin/headroom -conftest $(BIN)/conftest -kube-score $(BIN)/kube-score

##@ Change

.PHONY: generate
generate: ## Write catalogue, rule pages and README table from the rules' metadata
	@# The second run judges the README's sample by the catalogue that the first wrote.
	go run ./tools/generate
	go run ./tools/generate

.PHONY: format
format: $(OPA) ## gofmt and opa fmt
	gofmt -w cmd lint policies tests tools
	$(OPA) fmt --write $(POLICY)

##@ Tools

.PHONY: tools
tools: $(OPA) $(BIN)/conftest $(BIN)/kube-score $(BIN)/golangci-lint jdks ## Build and install every program that the checks need

.PHONY: jdks
jdks: ## Install the JDKs that the JVM model is compared with
	tests/jvm/install.sh $(TOOLS)/jdks

# A tool is rebuilt when its go.mod changes.
$(BIN)/opa: tools/opa/go.mod
	go build -C tools/opa -trimpath -o $@ github.com/open-policy-agent/opa

$(BIN)/conftest: tools/conftest/go.mod
	go build -C tools/conftest -trimpath -o $@ github.com/open-policy-agent/conftest

$(BIN)/kube-score: tools/kube-score/go.mod
	go build -C tools/kube-score -trimpath -o $@ github.com/zegl/kube-score/cmd/kube-score

$(BIN)/golangci-lint: tools/golangci-lint/go.mod
	go build -C tools/golangci-lint -trimpath -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: clean
clean: ## Remove what was built; .tools stays
	rm -rf bin dist policies/compiled/policies.image
