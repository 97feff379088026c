package headroom.runtime.go_programs_test

import data.headroom.runtime.go

# release_of is the release and the go line of what an image brings, [] where it is not known.
release_of(container) := [[program.release, program.go] | program := go.program_of({"id": 0, "raw": container})]

test_releases_of_programs_in_go if {
	releases := {
		"quay.io/prometheuscommunity/postgres-exporter:v0.11.1": [["0.11.1", [1, 17]]],
		"mirror.example:5000/hub/prometheuscommunity/postgres-exporter:v0.10.0@sha256:00": [["0.10.0", [1, 17]]],
		"bitnami/node-exporter:1.3.1-debian-11-r4": [["1.3.1", [1, 14]]],
		# It sets one thread from 1.5 on, and a release between two that were read may do so already.
		"prom/node-exporter:v1.6.1": [],
		"prom/node-exporter:v1.4.0": [],
		# Younger than what was read; a patch of an older release that may be younger than the next.
		"quay.io/prometheuscommunity/postgres-exporter:v0.99.0": [],
		"quay.io/prometheuscommunity/postgres-exporter:v0.12.0": [],
		"quay.io/argoproj/argocd:v2.13.0": [],
		"quay.io/argoproj/argocd:v2.10.0": [["2.10.0", [1, 21]]],
		"prom/prometheus:v2.45.3": [["2.45.3", [1, 20]]],
		# Patches of one minor release, up to the last that was read.
		"quay.io/jetstack/cert-manager-controller:v1.17.4": [["1.17.4", [1, 23]]],
		"quay.io/jetstack/cert-manager-controller:v1.17.5": [],
		"otel/opentelemetry-collector-contrib:0.130.0": [["0.130.0", [1, 23]]],
		"kumahq/kuma-cp:2.5.0": [["2.5.0", [1, 21]]],
		"public.ecr.aws/karpenter/controller:1.2.3": [["1.2.3", [1, 23]]],
		# It takes the limit itself, by automaxprocs.
		"pachyderm/pachd:2.8.1": [],
		"prom/prometheus:v3.0.1": [],
		"prom/prometheus:latest": [],
		"prom/prometheus:main-2.45.3": [],
		"prom/prometheus": [],
		"team/prometheus:v2.45.3": [],
	}
	every image, found in releases {
		release_of({"image": image}) == found
	}
	release_of({"image": 5}) == []
	release_of({"image": "prom/prometheus:v2.45.3", "args": ["--enable-feature=auto-gomaxprocs"]}) == []
}
