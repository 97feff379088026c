package headroom.config

# defaults are the settings of a headroom.yaml that says nothing. They stand in Rego, so
# that a policy evaluated without any data file still decides.
defaults := {
	"defaultClass": "",
	"tolerance": 0.25,
	# The decision matrix. A request or limit is average, peak, measured, allocation,
	# none, or {timesAverage: n}.
	"matrix": {
		"latency-sensitive": {"request": "average", "limit": "none"},
		"batch": {"request": "average", "limit": {"timesAverage": 2}},
		"sidecar": {"request": "measured", "limit": "measured"},
		"cron": {"request": "peak", "limit": "peak"},
		"multi-tenant": {"request": "average", "limit": "allocation"},
	},
	# Container names and image repositories that are sidecars by convention. changeInjected: whether containers that
	# other webhooks put into Pods are changed.
	"sidecars": {
		"changeInjected": false,
		"names": [
			"istio-proxy",
			"linkerd-proxy",
			"envoy",
			"fluentd",
			"fluent-bit",
			"vault-agent",
			"cloud-sql-proxy",
			"cloudsql-proxy",
			"kube-rbac-proxy",
			"oauth2-proxy",
			"config-reloader",
			"otel-agent",
		],
		"images": [
			"envoyproxy/envoy",
			"istio/proxyv2",
			"linkerd/proxy",
			"fluent/fluentd",
			"fluent/fluent-bit",
			"hashicorp/vault",
			"cloud-sql-connectors/cloud-sql-proxy",
			"cloudsql-docker/gce-proxy",
			"brancz/kube-rbac-proxy",
			"oauth2-proxy/oauth2-proxy",
			"prometheus-operator/prometheus-config-reloader",
		],
	},
	# headroom: share of the limit that the budget leaves free (M1), and headroomAtMost an amount, which is less of a large
	# limit. peak: share of the limit that a measured peak may reach (M2).
	"memory": {"headroom": 0.20, "headroomAtMost": "1Gi", "peak": 0.80},
	# threads: M2. gcPause: a duration, as in 20ms (T3).
	"jvm": {"threads": 250, "native": "", "maxRAMPercentage": 50.0, "gcPause": "20ms", "inject": []},
	# What is measured with fewer samples, or longer ago, is unknown. maxAge: a duration.
	# annotationMaxAge: what an annotation says was measured longer ago is told (HR107). 90 days, a quarter, is chosen.
	"measured": {"minSamples": 60, "maxAge": "24h", "annotationMaxAge": "2160h"},
	# What the nodes are, where somebody says it. kernel: its release, as in 6.12; cgroup: 1 or 2; cores and memory: of the
	# largest.
	"nodes": {"kernel": "", "cgroup": 0, "cores": 0, "memory": ""},
	# Classes by namespace and labels, for workloads without an annotation.
	"classes": [],
	# Images of one's own, as those of package headroom.images.
	"images": [],
	# Kinds of one's own, as those of package headroom.kinds.
	"kinds": [],
	"rules": {},
	"ignore": [],
}
