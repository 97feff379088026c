# headroom's image. `make image` makes the same one without a container engine;
# tests/integration/image keeps the two in step.
#
#   docker build --build-arg VERSION="$(git describe --tags --always)" \
#                --build-arg REVISION="$(git rev-parse HEAD)" \
#                --build-arg CREATED="$(TZ=UTC git log -1 --date=iso-strict-local --format=%cd)" .
#
# Nothing of the build stage but the static binary reaches the image, whose base is empty:
# no shell, no package manager, no library to patch, no base image to pin. There are no CA
# certificates either: the webhook speaks to the API server only, with the certificate
# authority of its service account.

ARG GO_VERSION=1.26.10

FROM --platform=$BUILDPLATFORM golang:${GO_VERSION} AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOTOOLCHAIN=local
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=development TARGETOS TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    GOOS=${TARGETOS} GOARCH=${TARGETARCH} go build -trimpath -buildvcs=false \
      -ldflags "-s -w -X main.version=${VERSION}" -o /out/headroom ./cmd/headroom

FROM scratch
ARG VERSION=development REVISION="" CREATED=""
LABEL org.opencontainers.image.title="headroom" \
      org.opencontainers.image.description="CPU and memory headroom for Kubernetes workloads" \
      org.opencontainers.image.source="https://github.com/headroom-dev/headroom" \
      org.opencontainers.image.url="https://github.com/headroom-dev/headroom" \
      org.opencontainers.image.documentation="https://github.com/headroom-dev/headroom/blob/main/docs/webhook.md" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
COPY --from=build --chmod=0755 /out/headroom /headroom
COPY --from=build --chmod=0644 /src/LICENSE /LICENSE
WORKDIR /
USER 65532:65532
ENTRYPOINT ["/headroom"]
