package headroom.classify_test

import data.headroom.classify
import data.headroom.reviews_test as reviews
import data.headroom.workload

_pod(annotations, spec) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a", "annotations": annotations},
	"spec": spec,
}

_app := {"containers": [{"name": "app", "image": "example.com/app:1"}]}

_namespace(annotations) := {"namespaces": [{"metadata": {"annotations": annotations}}]}

test_nothing_says_what_it_is if {
	classify.classes == ["unclassified"] with input as _pod({}, _app)
	classify.pod_class == "unclassified" with input as _pod({}, _app)
	classify.evidence[0].source == "" with input as _pod({}, _app)
	classify.evidence[0].path == ["spec"] with input as _pod({}, _app)
}

test_a_pod_annotation if {
	pod := _pod({"headroom.dev/workload-class": "batch"}, _app)
	classify.classes == ["batch"] with input as pod
	classify.evidence == [{
		"class": "batch",
		"source": "annotation",
		"text": "annotation headroom.dev/workload-class",
		"path": ["metadata", "annotations", "headroom.dev/workload-class"],
		"annotated": true,
		"value": "batch",
		"key": "headroom.dev/workload-class",
	}] with input as pod
}

test_an_annotation_that_names_no_class_is_unknown if {
	every value in ["bach", "", null, 5, [], {}, true] {
		classify.classes == ["unknown"] with input as _pod({"headroom.dev/workload-class": value}, _app)
	}
}

test_a_class_of_the_config_is_known if {
	classify.classes == ["gpu"] with input as _pod({"headroom.dev/workload-class": "gpu"}, _app)
		with data.headroom.overrides as {"matrix": {"gpu": {"request": "average", "limit": "none"}}}
}

test_the_container_s_annotation_wins if {
	annotations := {
		"headroom.dev/workload-class": "batch",
		"class.headroom.dev/app": "cron",
		"class.headroom.dev/gone": "cron",
	}
	classify.classes == ["cron", "batch"] with input as _pod(annotations, {"containers": [{"name": "app"}, {"name": "b"}]})
	classify.evidence[0].key == "class.headroom.dev/app" with input as _pod(annotations, _app)
	classify.pod_class == "batch" with input as _pod(annotations, _app)
}

test_two_containers_of_one_name if {
	twice := {"containers": [{"name": "app"}, {"name": "app"}]}
	classify.classes == ["cron", "cron"] with input as _pod({"class.headroom.dev/app": "cron"}, twice)
}

test_init_containers_and_native_sidecars if {
	spec := object.union(_app, {"initContainers": [{"name": "wait"}, {"name": "proxy", "restartPolicy": "Always"}]})
	classify.classes == ["unclassified", "init", "sidecar"] with input as _pod({}, spec)
	classify.evidence[2].path == ["spec", "initContainers", 1, "restartPolicy"] with input as _pod({}, spec)

	# An ordinary init container is one whatever it is called; a native sidecar may be declared another.
	annotated := {"class.headroom.dev/wait": "batch", "class.headroom.dev/proxy": "batch"}
	classify.classes == ["unclassified", "init", "batch"] with input as _pod(annotated, spec)
}

test_known_sidecars_by_name_and_image if {
	every container in [
		{"name": "istio-proxy"},
		{"name": "p", "image": "envoyproxy/envoy"},
		{"name": "p", "image": "docker.io/envoyproxy/envoy:v1.30@sha256:0d1e"},
		{"name": "p", "image": "localhost:5000/envoyproxy/envoy"},
	] {
		classify.classes == ["batch", "sidecar"] with input as _pod(
			{"headroom.dev/workload-class": "batch"},
			{"containers": [{"name": "app"}, container]},
		)
	}
	every container in [
		{"name": "p", "image": "example.com/myenvoyproxy/envoy:1"},
		{"name": "p", "image": "notenvoyproxy/envoy"},
		{"name": "p", "image": 5},
		{"name": "p"},
	] {
		classify.classes == ["batch", "batch"] with input as _pod(
			{"headroom.dev/workload-class": "batch"},
			{"containers": [{"name": "app"}, container]},
		)
	}
}

test_two_entries_of_the_config_for_one_image if {
	classify.evidence[1].text == "a known sidecar (image envoy)" with input as _pod(
		{},
		{"containers": [{"name": "app"}, {"name": "p", "image": "envoyproxy/envoy"}]},
	)
		with data.headroom.overrides as {"sidecars": {"images": ["envoy", "envoyproxy/envoy"]}}
}

test_a_sidecar_stands_beside_something if {
	classify.classes == ["unclassified"] with input as _pod({}, {"containers": [{"name": "envoy"}]})
}

test_what_the_pods_are_called_after_is_no_sidecar if {
	spec := {"containers": [{"name": "shutdown-manager"}, {"name": "envoy", "image": "envoyproxy/envoy:v1.34"}]}
	every labels in [{"app": "envoy"}, {"app.kubernetes.io/name": "envoy", "app": "contour"}, {"k8s-app": "envoy"}] {
		pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": labels}, "spec": spec}
		classify.classes == ["unclassified", "unclassified"] with input as pod
		daemon_set := {"apiVersion": "apps/v1", "kind": "DaemonSet", "spec": {"template": pod}}
		classify.classes == ["unclassified", "unclassified"] with input as daemon_set
	}
	every labels in [{}, null, {"app": "shop"}, {"app": "envoy-shop"}, {"tier": "envoy"}, {"app": null}] {
		pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": labels}, "spec": spec}
		classify.classes == ["unclassified", "sidecar"] with input as pod
	}

	# An annotation is stronger, and a native sidecar is one by what the kubelet does.
	metadata := {"labels": {"app": "envoy"}, "annotations": {"class.headroom.dev/envoy": "sidecar"}}
	annotated := {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
	classify.classes == ["unclassified", "sidecar"] with input as annotated
	native := {"containers": [{"name": "app"}], "initContainers": [{"name": "envoy", "restartPolicy": "Always"}]}
	classify.classes == ["unclassified", "sidecar"] with input as {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"app": "envoy"}}, "spec": native,
	}
}

test_the_kind_that_it_belongs_to if {
	template := {"template": {"spec": _app}}
	cron := {"apiVersion": "batch/v1", "kind": "CronJob", "spec": {"jobTemplate": {"spec": template}}}
	job := {"apiVersion": "batch/v1", "kind": "Job", "spec": template}
	classify.classes == ["cron"] with input as cron
	classify.classes == ["batch"] with input as job
	classify.classes == ["cron"] with input as object.union(job, {"metadata": {"ownerReferences": _controller("CronJob")}})
	classify.classes == ["batch"] with input as object.union(job, {
		"metadata": {"ownerReferences": _controller("Workflow")},
	})
	pod := _pod({}, _app)
	classify.classes == ["batch"] with input as object.union(pod, {"metadata": {"ownerReferences": _controller("Job")}})
	classify.classes == ["unclassified"] with input as object.union(pod, {
		"metadata": {"ownerReferences": _controller("ReplicaSet")},
	})
	classify.classes == ["cron"] with input as reviews.of_object(pod, {"owners": [{"kind": "Job"}, {"kind": "CronJob"}]})
	classify.classes == ["unclassified"] with input as reviews.of_object(pod, {"owners": [{"kind": ["CronJob"]}]})
}

# CronJobs name their Jobs by the minute.
test_the_pod_of_a_cron_job_s_job if {
	every case in [
		["report-29397600", "cron"],
		["a-b-31000000", "cron"],
		["report", "batch"],
		["report-7", "batch"],
		["import-20261123", "batch"],
		["report-29397600-x", "batch"],
		["29397600", "batch"],
		[7, "batch"],
	] {
		[name, class] := case
		references := [{"kind": "Job", "controller": true, "name": name}]
		pod := _pod({}, _app)
		classify.classes == [class] with input as object.union(pod, {"metadata": {"ownerReferences": references}})
	}
	named := {"metadata": {"ownerReferences": [{"kind": "Job", "controller": true, "name": "report-29397600"}]}}
	run := object.union(_pod({}, _app), named)
	classify.classes == ["cron"] with input as reviews.of_object(run, {"owners": [{"kind": "Job"}]})
	job := {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": _app}}}
	classify.classes == ["batch"] with input as object.union(job, named)
}

_controller(kind) := [{"kind": kind, "controller": true}]

test_a_kind_s_class_that_the_config_took_away if {
	job := {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": _app}}}
	classify.classes == ["unclassified"] with input as job with data.headroom.config.classes as {"cron"}
}

test_a_pod_is_what_its_workload_says if {
	owner := {
		"kind": "Deployment",
		"annotations": {"headroom.dev/workload-class": "cron", "class.headroom.dev/b": "batch"},
	}
	pod := _pod({}, {"containers": [{"name": "app"}, {"name": "b"}]})
	classify.classes == ["cron", "batch"] with input as reviews.of_object(pod, {"owners": [owner]})

	# Its own annotation is nearer.
	own := _pod({"headroom.dev/workload-class": "batch", "class.headroom.dev/b": "cron"}, pod.spec)
	classify.classes == ["batch", "cron"] with input as reviews.of_object(own, {"owners": [owner]})
}

test_the_namespace_s_default if {
	classify.classes == ["batch"] with input as reviews.of_object(_pod({}, _app), _namespace({
		"headroom.dev/default-class": "batch",
	}))
	classify.classes == ["unknown"] with input as reviews.of_object(_pod({}, _app), _namespace({
		"headroom.dev/default-class": "bach",
	}))
}

test_the_config_s_default if {
	classify.classes == ["batch"] with input as _pod({}, _app) with data.headroom.overrides as {"defaultClass": "batch"}
	classify.evidence[0].source == "config default" with input as _pod({}, _app)
		with data.headroom.overrides as {"defaultClass": "batch"}
}

test_the_main_container if {
	spec := {
		"containers": [{"name": "istio-proxy"}, {"name": "app"}, {"name": "b"}],
		"initContainers": [{"name": "wait"}],
	}
	classify.main == 1 with input as _pod({}, spec)
	classify.main == 2 with input as _pod({"kubectl.kubernetes.io/default-container": "b"}, spec)
	classify.main == 1 with input as _pod({"kubectl.kubernetes.io/default-container": "gone"}, spec)
	not classify.main with input as _pod({"class.headroom.dev/app": "sidecar"}, _app)
	not classify.main with input as _pod({}, {})
}

# An Envoy alone is a proxy, by its image too; beside an init container it still stands alone.
test_a_known_image_stands_beside_something if {
	alone := {"containers": [{"name": "p", "image": "envoyproxy/envoy"}]}
	classify.classes == ["unclassified"] with input as _pod({}, alone)
	every init in [{"name": "wait"}, {"name": "proxy", "restartPolicy": "Always"}] {
		classify.classes[0] == "unclassified" with input as _pod({}, object.union(alone, {"initContainers": [init]}))
		classify.classes[0] == "unclassified" with input as _pod({}, {
			"containers": [{"name": "envoy"}],
			"initContainers": [init],
		})
	}
	two := {"containers": [{"name": "envoy"}, {"name": "app"}], "initContainers": [{"name": "envoy"}]}
	classify.classes == ["sidecar", "unclassified", "init"] with input as _pod({}, two)
}

test_the_main_container_beside_native_sidecars if {
	spec := {"containers": [{"name": "app"}, {"name": "b"}], "initContainers": [{"name": "i", "restartPolicy": "Always"}]}
	classify.main == 2 with input as _pod({"kubectl.kubernetes.io/default-container": "i"}, spec)
	annotated := {"class.headroom.dev/i": "batch", "class.headroom.dev/app": "sidecar", "class.headroom.dev/b": "sidecar"}
	not classify.main with input as _pod(annotated, spec)
}

_labelled := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "web", "namespace": "shop", "labels": {"app": "other"}},
	"spec": {"template": {"metadata": {"labels": {"app": "web", "tier": "front"}}, "spec": _app}},
}

_rows(rows) := {"classes": rows}

_first(class, row) := [object.union({"class": class}, row), {"class": "cron", "namespace": "*"}]

test_classes_of_the_config if {
	every row in [
		{"namespace": "shop"},
		{"namespace": "s*"},
		{"labels": {"app": "web"}},
		{"labels": {"app": "w*", "tier": "front"}},
		{"namespace": "shop", "labels": {"tier": "front"}},
	] {
		classify.pod_class == "batch" with input as _labelled with data.headroom.overrides as _rows(_first("batch", row))
	}

	# The labels of its Pods count, and every one of them.
	every row in [
		{"namespace": "other"},
		{"labels": {"app": "other"}},
		{"labels": {"app": "web", "team": "a"}},
		{"namespace": "other", "labels": {"app": "web"}},
	] {
		classify.pod_class == "cron" with input as _labelled with data.headroom.overrides as _rows(_first("batch", row))
	}
	found := classify.pod_evidence with input as _labelled
		with data.headroom.overrides as _rows([{"class": "batch", "namespace": "shop", "labels": {"app": "web"}}])
	found.text == "classes of the config (namespace shop, app: web)"
	found.source == "config classes"
	classify.said("app") with input as _labelled
		with data.headroom.overrides as _rows([{"class": "batch", "namespace": "shop"}])
	classify.pod_class == "unknown" with input as _labelled
		with data.headroom.overrides as _rows([{"class": "no-such", "namespace": "shop"}])
}

test_what_is_stronger_and_weaker_than_classes_of_the_config if {
	rows := _rows([{"class": "cron", "namespace": "*"}])
	annotated := _pod({"headroom.dev/workload-class": "batch"}, _app)
	classify.pod_class == "batch" with input as annotated with data.headroom.overrides as rows
	job := {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"template": {"spec": _app}}}
	classify.pod_class == "batch" with input as job with data.headroom.overrides as rows
	defaulted := reviews.of_object(_pod({}, _app), _namespace({"headroom.dev/default-class": "batch"}))
	classify.pod_class == "cron" with input as defaulted with data.headroom.overrides as rows
	both := object.union(rows, {"defaultClass": "batch"})
	classify.pod_class == "cron" with input as _pod({}, _app) with data.headroom.overrides as both
}

# Where the Namespace lists its classes, what is inferred counts like what somebody named.
test_a_list_of_classes_makes_what_is_inferred_count if {
	job := {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": {"containers": [{"name": "app"}]}}}}
	not classify.said("app") with input as job
	every list in ["batch", "", null, false] {
		classify.said("app") with input as job
			with workload.namespace_annotations as {"headroom.dev/allowed-classes": list}
	}
}
