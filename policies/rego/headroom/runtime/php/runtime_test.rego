package headroom.runtime.php_test

import data.headroom.runtime.php
import data.headroom.runtimes

pod(said, container, volumes) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"runtime.headroom.dev/app": said}},
	"spec": {"volumes": volumes, "containers": [object.union(
		{"name": "app", "resources": {"limits": {"memory": "1000Mi"}}},
		container,
	)]},
}

children(text) := {"env": [{"name": "PHP_FPM_PM_MAX_CHILDREN", "value": text}]}

test_children if {
	found := php.ceilings with input as pod("php worker=60Mi", children("50"), [])
	found[0].terms[0].bytes == 3000 * 1048576
	startswith(found[0].expected, "pm.max_children of at most 15, ")
	every said in ["php", "php worker=0Mi", "php version=8"] {
		php.ceilings == [] with input as pod(said, children("50"), [])
	}
	php.ceilings == [] with input as pod("php worker=60Mi", children("many"), [])
	php.ceilings == [] with input as pod("php worker=60Mi", {}, [])
}

test_children_of_a_mounted_file if {
	review := {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": pod(
			"php worker=100Mi",
			{"volumeMounts": [{"name": "pool", "mountPath": "/usr/local/etc/php-fpm.d/zzz.conf", "subPath": "zzz.conf"}]},
			[{"name": "pool", "configMap": {"name": "pool"}}],
		),
		"context": {"config_maps": [{
			"kind": "ConfigMap",
			"metadata": {"name": "pool"},
			"data": {"zzz.conf": "[www]\npm.max_children = 5\npm.max_children = 20 ; more\n"},
		}]},
	}
	found := php.ceilings with input as review
	found[0].terms[0].bytes == 2000 * 1048576
}

test_found if {
	every container in [{"image": "php:8.4-fpm"}, {"command": ["php", "a.php"]}, children("5")] {
		seen := runtimes.running[0] with input as {
			"apiVersion": "v1",
			"kind": "Pod",
			"spec": {"containers": [object.union({"name": "app"}, container)]},
		}
		seen.name == "php"
	}
}
