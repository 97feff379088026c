# headroom: `make` alone lists the targets.
#
# Everything but Go, git, make and Java is built or installed below .tools, pinned by
# tools/*/go.mod and tests/harness/jdks/install.sh, and kept between runs. The first time that takes
# half an hour on two cores, most of it Kubernetes and Kyverno.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# One value for every build, test and tool: mixing compiles the large dependencies twice.
export CGO_ENABLED := 0
export GOFLAGS := $(filter-out -trimpath,$(shell go env GOFLAGS)) -trimpath

comma := ,

TOOLS   := $(CURDIR)/.tools
BIN     := $(TOOLS)/bin
OPA     := $(BIN)/opa
POLICY  := policies/rego
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION)

# The versions that tools/*/go.mod require.
KUBERNETES := 1.36.3
ETCD       := 3.7.3

##@ Use

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} \
		/^##@/ {printf "\n%s\n", substr($$0, 5)} \
		/^[a-zA-Z_-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/headroom, and bin/headroom-full, which it starts for charts, clusters and the rest
	go build -tags lean -ldflags "$(LDFLAGS)" -o bin/headroom ./cmd/headroom
	go build -ldflags "$(LDFLAGS)" -o bin/headroom-full ./cmd/headroom

.PHONY: demo
demo: build ## Lint samples/: every severity, with the arithmetic
	@bin/headroom lint samples --show info --explain --fail-on never

.PHONY: cluster
cluster: build control-plane ## A real cluster with headroom in it, to play with; Ctrl-C ends it (HELM="--set …")
	@go build -o bin/cluster ./tests/harness/plane/run
	@bin/cluster -headroom $(CURDIR)/bin/headroom -samples -- $(HELM)

.PHONY: prometheus
prometheus: $(BIN)/prometheus ## A real Prometheus with seven made-up days of that cluster's Pods; needs its KUBECONFIG
	@go build -o bin/prometheus-of-cluster ./tests/harness/history/run
	@bin/prometheus-of-cluster

.PHONY: image
image: ## Make the container image, dist/headroom-image.tar, without a container engine
	go run ./tools/container -o dist/headroom-image.tar

# The platforms that .krew.yaml names; fewer of them make a release without its manifests.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: release
release: $(BIN)/sbom ## Make a release of the commit, in dist/release: archives, image, chart, policies, sums
	go run ./tools/release -platforms "$(PLATFORMS)" -sbom $(BIN)/sbom

.PHONY: vscode
vscode: ## Pack the extension for VS Code, packaging/vscode/headroom.vsix, with its own tool (npm)
	cd packaging/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run package

.PHONY: site
site: site-tools ## Build docs/ with search, and the playground, into dist/site; every warning and dead link is an error (Python)
	packaging/site/build.sh $(TOOLS)/site

.PHONY: publish
publish: ## Push dist/release to a registry (REGISTRY=ghcr.io/headroom-dev)
	go run ./tools/release/publish -registry "$(REGISTRY)"

.PHONY: version
version: ## Set the version of the next release (VERSION=0.2.0)
	go run ./tools/release/version "$(VERSION)"

##@ Check

# No test is held to the speed of a machine: only what has not ended in two hours hangs.
PATIENCE := 120m

# took runs a layer's commands and prints how long they took.
took = began=$$SECONDS; { $(2); } && echo "$(1): took $$((SECONDS - began)) s"

.PHONY: test
test: ## Everything: the three layers, the programs that they need built beside the first
	@$(call took,test,$(MAKE) --no-print-directory -j2 --output-sync=target unit programs && \
		$(MAKE) --no-print-directory integration && $(MAKE) --no-print-directory system)

# Short programs with memory to spare: collecting their garbage takes a sixth of the time of tests, a fifth of the
# compiler's, a third of conftest's.
unit integration programs: export GOGC := 400

.PHONY: unit
unit: ## Go and git alone: Rego tests, Go tests, generated files, the lab; go vet of every layer
	@$(call took,unit,go vet -tags integration$(comma)system ./... && go vet -C lab ./... && \
		go test -vet=off -timeout $(PATIENCE) ./... && go test -C lab -vet=off -timeout $(PATIENCE) ./...)

# The packages whose tests are other ones than in the unit layer, or look at more at random. A build tag is part of
# each test binary, so that go test would run all others once more.
LAYERED = $$(grep -rlE '^//go:build .*integration|search\.(Rounds|Seed|Whole)\(' --include=*_test.go \
	--exclude-dir=.tools --exclude-dir=lab . | xargs -n 1 dirname | sort -u)

.PHONY: integration
integration: programs ## Real programs: coverage of the Rego, conftest, Kyverno, JDKs, Prometheus, a browser
	@$(call took,integration,go test -tags integration -vet=off -timeout $(PATIENCE) $(LAYERED))

# Three at a time: the conformance of engines computes, clusters wait. What is timed runs alone: the faults ask how long a
# call took, the kernel hands out what processors there are. Where it makes no CPU cgroup, -v says so.
.PHONY: system
system: programs ## Clusters, the conformance of five engines, the kernel
	@$(call took,system,\
		go test -tags system -vet=off -timeout $(PATIENCE) -p 3 ./tests/system/conformance/... $$(go list -tags system ./tests/system/cluster/... | grep -v /faults$$) && \
		go test -tags system -vet=off -timeout $(PATIENCE) -p 1 ./tests/system/cluster/faults && \
		go test -tags system -vet=off -timeout $(PATIENCE) -p 1 -v ./tests/system/kernel/...)

# The packages of the webhook that talk to an API server are tested with a real one.
.PHONY: mutants
mutants: $(BIN)/kube-apiserver $(BIN)/etcd ## Small changes to Rego and Go: the tests have to notice them (SEED=1)
	go run -C lab ./mutants -seed $(or $(SEED),1)

.PHONY: programs
programs: control-plane kyverno $(OPA) $(BIN)/conftest $(BIN)/gator $(BIN)/prometheus $(BIN)/promtool $(BIN)/registry $(BIN)/vpa-recommender $(BIN)/sbom $(BIN)/dashboard jdks wrappers browser neovim pre-commit site-tools inspector ## Build and install what the second and third layer need

.PHONY: soak
soak: programs ## An hour of 200 Pods a second under reloads, renewals and restarts (FOR=1h RATE=200)
	go test -tags system,soak -timeout 0 -count=1 -v -run TestSoak ./tests/system/cluster/faults -args -soak=$(or $(FOR),1h) -rate=$(or $(RATE),200)

.PHONY: upgrades
upgrades: programs ## The version before (FROM, a commit) and this one side by side, and back
	@[ -n "$(FROM)" ] || { echo "name the version before: make upgrades FROM=COMMIT" >&2; exit 1; }
	rm -rf $(TOOLS)/before && git worktree prune && git worktree add --force --detach $(TOOLS)/before $(FROM)
	go build -C $(TOOLS)/before -o $(BIN)/headroom-before ./cmd/headroom
	git worktree remove --force $(TOOLS)/before
	HEADROOM_BEFORE=$(BIN)/headroom-before go test -tags system,upgrades -timeout $(PATIENCE) -p 1 -count=1 -v -run TestUpgrade \
		./tests/system/cluster/faults ./tests/system/cluster/watch

.PHONY: conformance
conformance: $(BIN)/conftest $(BIN)/gator control-plane kyverno ## Ask every engine about one corpus; print the table, write docs/conformance.md
	cd tests/system/conformance && go test -tags system -count=1 -timeout $(PATIENCE) -run TestConformance -show -update

.PHONY: evidence
evidence: jdks ## Measure the kernel, the JVMs of this machine and real servers (half an hour); write docs/why.md
	cd tests/system/kernel && go test -tags system -count=1 -timeout $(PATIENCE) . -record
	go run -C lab ./servers
	go run -C lab ./runtimes
	go run -C lab ./evidence

.PHONY: lint
lint: licences $(BIN)/golangci-lint $(BIN)/actionlint ## golangci-lint with its formatter, actionlint of the workflows, licences
	$(BIN)/golangci-lint run ./...
	cd lab && $(BIN)/golangci-lint run --disable depguard ./... # the arrows are those of the product
	$(BIN)/actionlint -shellcheck= -pyflakes=

# The licences are read from the modules that are in the binary, off line. Known vulnerabilities are a data base, a Go
# module of its own: a pinned one gives one answer for one commit. VULNDB names another.
VULNDB ?= file://$(BIN)/vulndb
LICENCES := Apache-2.0,MIT,MIT-0,BSD-2-Clause,BSD-3-Clause,ISC,MPL-2.0,CC-BY-SA-4.0

.PHONY: supply
supply: licences $(BIN)/govulncheck $(BIN)/vulndb ## Licences of what is in the binary, and its known vulnerabilities (VULNDB=https://vuln.go.dev asks for today's)
	$(BIN)/govulncheck -db $(VULNDB) ./cmd/headroom

.PHONY: licences
licences: build $(BIN)/sbom ## Licences of what is in the binary, off line
	$(BIN)/sbom -allow $(LICENCES) bin/headroom-full

.PHONY: search
search: programs ## All rounds of what tests look for at random, begun by the day (SEED=20261126); an hour and more
	HEADROOM_SEARCH=all HEADROOM_SEED=$(SEED) go test -tags integration -count=1 -timeout 0 -v \
		$$(grep -rlF 'tests/harness/search"' --include=*_test.go . | xargs -n 1 dirname | sort -u)

.PHONY: fuzz
fuzz: ## Each fuzz target for FUZZTIME (default 1m); fails when one fails
	@grep -rE '^func Fuzz[A-Za-z]+\(' --include=*_test.go . | sed -E 's#^(.*)/[^/]+:func (Fuzz[A-Za-z]+).*#\1 \2#' | sort -u | { \
		failed=; \
		while read -r package target; do \
			echo "== $$target in $$package"; \
			(cd "$$package" && go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $${FUZZTIME:-1m} . </dev/null) || failed="$$failed $$package:$$target"; \
		done; \
		[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }; }

.PHONY: bench
bench: build $(BIN)/conftest $(BIN)/kube-score control-plane ## What a decision, a run and the webhook cost, beside what they are held to
	go run -C lab ./bench
	go run -C lab ./bench/webhook
	go run -C lab ./bench/audit

##@ Change

.PHONY: generate
generate: ## Write catalogue, rule pages, README demo and the plan of the policies
	@# The second run judges the README's sample by the catalogue that the first wrote.
	go run ./tools/generate
	go run ./tools/generate

.PHONY: pictures
pictures: build browser ## Make the README's pictures with a real browser
	go run -C lab ./pictures

.PHONY: flags
flags: jdks ## Write the table of JVM flags from the JDKs themselves; review its diff
	go run -C lab ./flags

.PHONY: format
format: $(BIN)/golangci-lint $(OPA) ## golangci-lint fmt (gofumpt) and opa fmt
	$(BIN)/golangci-lint fmt
	$(OPA) fmt --write $(POLICY)

##@ Tools

.PHONY: tools
tools: programs $(BIN)/kube-score $(BIN)/golangci-lint $(BIN)/actionlint ## Build and install every program, also those of make bench and make lint

.PHONY: control-plane
control-plane: $(addprefix $(BIN)/,kube-apiserver kube-controller-manager kubectl etcd helm cert-manager) ## Build what a cluster needs: Kubernetes, etcd, Helm, cert-manager

.PHONY: kyverno
kyverno: $(addprefix $(BIN)/,kyverno kyverno-admission kyverno-judge) ## Build Kyverno: its CLI, its admission controller, and its engine for a whole corpus

.PHONY: wrappers
wrappers: ## Install programs that stand before java in images, for tests/integration/launch
	tests/harness/wrappers/install.sh $(TOOLS)/wrappers

.PHONY: jdks
jdks: ## Install the JDKs that the JVM model is compared with
	tests/harness/jdks/install.sh $(TOOLS)/jdks

.PHONY: browser
browser: ## Find or install the Chromium that looks at pages
	go run -C tools/browser . -o $(TOOLS)/browser

.PHONY: neovim
neovim: ## Find or unpack the Neovim that headroom lsp is tested in
	tests/harness/neovim/install.sh $(TOOLS)/neovim

.PHONY: inspector
inspector: ## Install the inspector that headroom mcp is checked with, where there is npm
	tests/integration/assistant/inspector/install.sh $(TOOLS)/inspector

.PHONY: site-tools
site-tools: ## Install what builds the pages of docs/, where there is a Python
	packaging/site/install.sh $(TOOLS)/site

.PHONY: pre-commit
pre-commit: ## Install pre-commit, where there is a Python
	tests/integration/ci/install-pre-commit.sh $(TOOLS)/pre-commit

# reuse takes the program $(1) of version $(2) from KUBEBUILDER_ASSETS or PATH, and fails without one:
# compiling kube-apiserver takes ten minutes of CPU.
reuse = { for at in "$${KUBEBUILDER_ASSETS:-}/$(1)" "$$(command -v $(1))"; do \
		{ "$$at" --version || "$$at" version --client; } 2>/dev/null | grep -qF "$(2)" && \
		mkdir -p $(BIN) && cp "$$at" $(BIN)/$(1) && break; done; }

# A tool is rebuilt when its go.mod changes.
KUBERNETES_PROGRAMS := kube-apiserver kube-controller-manager kubectl
$(addprefix $(BIN)/,$(KUBERNETES_PROGRAMS)) &: tools/pins/kubernetes/go.mod
	@left=; \
	for program in $(KUBERNETES_PROGRAMS); do \
		$(call reuse,$$program,v$(KUBERNETES)) || left="$$left k8s.io/kubernetes/cmd/$$program"; \
	done; \
	[ -z "$$left" ] || go build -C tools/pins/kubernetes -ldflags "-s -w \
		-X k8s.io/component-base/version.gitVersion=v$(KUBERNETES) \
		-X k8s.io/component-base/version.gitMajor=$(word 1,$(subst ., ,$(KUBERNETES))) \
		-X k8s.io/component-base/version.gitMinor=$(word 2,$(subst ., ,$(KUBERNETES)))" \
		-o $(BIN)/ $$left

$(BIN)/etcd: tools/pins/etcd/go.mod
	@$(call reuse,etcd,$(ETCD)) || \
	go build -C tools/pins/etcd -ldflags "-s -w" -o $@ go.etcd.io/etcd/server/v3

$(BIN)/helm: tools/pins/helm/go.mod
	go build -C tools/pins/helm -ldflags "-s -w" -o $@ helm.sh/helm/v4/cmd/helm

$(BIN)/cert-manager: tools/cert-manager/go.mod $(wildcard tools/cert-manager/*.go)
	go build -C tools/cert-manager -ldflags "-s -w" -o $@ .

$(BIN)/dashboard: tools/dashboard/go.mod $(wildcard tools/dashboard/*.go)
	go build -C tools/dashboard -ldflags "-s -w" -o $@ .

# Without the service discoveries of the clouds: three minutes of CPU in an empty cache, for the server.
$(addprefix $(BIN)/,prometheus promtool) &: tools/pins/prometheus/go.mod
	go build -C tools/pins/prometheus -tags remove_all_sd -ldflags "-s -w" -o $(BIN)/ \
		github.com/prometheus/prometheus/cmd/prometheus github.com/prometheus/prometheus/cmd/promtool

# Three minutes of CPU in an empty cache.
$(BIN)/vpa-recommender: tools/pins/vpa/go.mod
	go build -C tools/pins/vpa -ldflags "-s -w" -o $@ k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender

$(BIN)/opa: tools/pins/opa/go.mod
	go build -C tools/pins/opa -o $@ github.com/open-policy-agent/opa

# The CLI takes six minutes of CPU in an empty cache, the admission controller one more: what they share is
# compiled once, as one waits for the other.
$(BIN)/kyverno-admission $(BIN)/kyverno-judge: | $(BIN)/kyverno
$(BIN)/kyverno: tools/kyverno/go.mod
	go build -C tools/kyverno -ldflags "-s -w" -o $@ github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno

$(BIN)/kyverno-admission: tools/kyverno/go.mod
	go build -C tools/kyverno -ldflags "-s -w" -o $@ github.com/kyverno/kyverno/cmd/kyverno

$(BIN)/kyverno-judge: tools/kyverno/go.mod $(wildcard tools/kyverno/judge/*.go)
	go build -C tools/kyverno -ldflags "-s -w" -o $@ ./judge

$(BIN)/conftest: tools/pins/conftest/go.mod
	go build -C tools/pins/conftest -o $@ github.com/open-policy-agent/conftest

$(BIN)/gator: tools/pins/gator/go.mod
	go build -C tools/pins/gator -ldflags "-s -w" -o $@ github.com/open-policy-agent/gatekeeper/v3/cmd/gator

$(BIN)/kube-score: tools/pins/kube-score/go.mod
	go build -C tools/pins/kube-score -o $@ github.com/zegl/kube-score/cmd/kube-score

$(BIN)/registry: tools/pins/registry/go.mod
	go build -C tools/pins/registry -o $@ github.com/distribution/distribution/v3/cmd/registry

$(BIN)/sbom: tools/sbom/go.mod $(wildcard tools/sbom/*.go)
	go build -C tools/sbom -o $@ .

$(BIN)/golangci-lint: tools/pins/golangci-lint/go.mod
	go build -C tools/pins/golangci-lint -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(BIN)/govulncheck: tools/pins/govulncheck/go.mod
	go build -C tools/pins/govulncheck -o $@ golang.org/x/vuln/cmd/govulncheck

$(BIN)/vulndb: tools/pins/vulndb/go.mod
	rm -rf $@
	go build -C tools/pins/vulndb -o $(BIN)/indexdb golang.org/x/vulndb/cmd/indexdb
	$(BIN)/indexdb -vulns $$(go list -C tools/pins/vulndb -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv -out $@

$(BIN)/actionlint: tools/pins/actionlint/go.mod
	go build -C tools/pins/actionlint -o $@ github.com/rhysd/actionlint/cmd/actionlint

.PHONY: clean
clean: ## Remove what was built; .tools stays
	rm -rf bin dist
