# headroom as targets of your own Makefile:
#
#   HEADROOM_VERSION := v1.2.3
#   HEADROOM_PATHS   := deploy
#   include headroom.mk
#
# Release and checksum are downloaded once, into .headroom (git-ignore it). HEADROOM_INSTALL := go
# takes `go install` instead, and HEADROOM := headroom the program in PATH. HEADROOM_SHA256, that of
# the release's checksums.txt, holds the download to what you have seen.

HEADROOM_PATHS   ?= .
HEADROOM_FLAGS   ?=
HEADROOM_DIR     ?= .headroom
HEADROOM_INSTALL ?= download
HEADROOM_SHA256  ?=
HEADROOM_URL     ?= https://github.com/headroom-dev/headroom

# A folder a version: beside headroom stands headroom-full of the same release.
ifndef HEADROOM
HEADROOM          := $(HEADROOM_DIR)/$(HEADROOM_VERSION)/headroom
HEADROOM_PROGRAM  := $(if $(HEADROOM_VERSION),$(HEADROOM),headroom-version)
endif
HEADROOM_PLATFORM  = $(shell uname -s | tr A-Z a-z)_$(shell uname -m | sed -e s/x86_64/amd64/ -e s/aarch64/arm64/)
HEADROOM_ARCHIVE   = headroom_$(HEADROOM_PLATFORM).tar.gz

.PHONY: headroom-lint
headroom-lint: $(HEADROOM_PROGRAM) ## Judge the manifests
	$(HEADROOM) lint $(HEADROOM_FLAGS) $(HEADROOM_PATHS)

.PHONY: headroom-fix
headroom-fix: $(HEADROOM_PROGRAM) ## Write into the manifests what can be fixed safely
	$(HEADROOM) fix $(HEADROOM_PATHS)

.PHONY: headroom-check
headroom-check: $(HEADROOM_PROGRAM) ## Fail where headroom-fix would change something
	$(HEADROOM) fix --check $(HEADROOM_PATHS)

.PHONY: headroom-version
headroom-version:
	@echo "set HEADROOM_VERSION to a release, such as v1.2.3" >&2; exit 1

$(HEADROOM_DIR)/%/headroom:
	@rm -rf $(HEADROOM_DIR)/new && mkdir -p $(HEADROOM_DIR)/new
ifeq ($(HEADROOM_INSTALL),go)
	GOBIN="$$(cd $(HEADROOM_DIR)/new && pwd)" GOFLAGS="$$(go env GOFLAGS) -mod=mod" GOOS= GOARCH= \
		go install github.com/headroom-dev/headroom/cmd/headroom@$*
else
	@case '$(HEADROOM_URL)' in https://*|http://127.0.0.1:*) ;; *) echo "HEADROOM_URL is not https" >&2; exit 1 ;; esac
	curl -fsSL --proto-redir =https --retry 3 -o $(HEADROOM_DIR)/new/checksums.txt \
		$(HEADROOM_URL)/releases/download/$*/checksums.txt
	curl -fsSL --proto-redir =https --retry 3 -o $(HEADROOM_DIR)/new/$(HEADROOM_ARCHIVE) \
		$(HEADROOM_URL)/releases/download/$*/$(HEADROOM_ARCHIVE)
	@cd $(HEADROOM_DIR)/new && grep "  $(HEADROOM_ARCHIVE)$$" checksums.txt >wanted && \
		{ [ -z "$(HEADROOM_SHA256)" ] || echo "$(HEADROOM_SHA256)  checksums.txt" >>wanted; } && \
		{ sha256sum -c wanted 2>/dev/null || shasum -a 256 -c wanted; }
	@cd $(HEADROOM_DIR)/new && tar -xzf $(HEADROOM_ARCHIVE) && rm $(HEADROOM_ARCHIVE)
endif
	@rm -rf $(HEADROOM_DIR)/$* && mv $(HEADROOM_DIR)/new $(HEADROOM_DIR)/$*
