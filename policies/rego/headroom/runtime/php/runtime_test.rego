package headroom.runtime.php_test

import data.headroom.reviews_test as reviews
import data.headroom.rules.runtimes["runtime-reaches-limit"] as rule
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

test_two_variables_of_children if {
	every other, count_of in {"50": 1, "40": 0} {
		env := array.concat(children("50").env, [{"name": "FPM_PM_MAX_CHILDREN", "value": other}])
		found := php.ceilings with input as pod("php worker=60Mi", {"env": env}, [])
		count(found) == count_of
	}
}

test_children_of_a_mounted_file if {
	review := reviews.of_object(
		pod(
			"php worker=100Mi",
			{"volumeMounts": [{"name": "pool", "mountPath": "/usr/local/etc/php-fpm.d/zzz.conf", "subPath": "zzz.conf"}]},
			[{"name": "pool", "configMap": {"name": "pool"}}],
		),
		{"config_maps": [{
			"kind": "ConfigMap",
			"metadata": {"name": "pool"},
			"data": {"zzz.conf": "[www]\npm.max_children = 5\npm.max_children = 20 ; more\n"},
		}]},
	)
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

pool_of(text) := reviews.of_object(
	pod(
		"php",
		{"volumeMounts": [{"name": "pool", "mountPath": "/usr/local/etc/php-fpm.d"}]},
		[{"name": "pool", "configMap": {"name": "pool"}}],
	),
	{"config_maps": [{"kind": "ConfigMap", "metadata": {"name": "pool"}, "data": {"www.conf": text}}]},
)

# What a script may take is a bound: all of them at once is possible.
test_the_memory_limit_of_scripts if {
	lines := "pm.max_children = 50\nphp_admin_value[memory_limit] = 256M\n"
	found := php.ceilings with input as pool_of(lines)
	found[0].terms[0].bytes == 12800 * 1048576
	[found[0].possible, found[0].sure] == [true, false]
	found[0].terms[0].text == "50 processes (pm.max_children) × 256 MiB each at the most (memory_limit)"
	some f in rule.report with input as pool_of(lines)
	f.severity == "info"
	every text in ["memory_limit = -1", "memory_limit = much", "memory_limit = 0", ""] {
		php.ceilings == [] with input as pool_of(sprintf("pm.max_children = 50\nphp_value[%s]", [text]))
	}
	every line, bytes in {
		"memory_limit = 1G": 1073741824,
		"php_value[memory_limit] = 512k": 524288,
		`php_admin_value[memory_limit]="64m"`: 67108864,
		"memory_limit=1024": 1024,
	} {
		one := php.ceilings with input as pool_of(sprintf("pm.max_children = 2\n%s\n", [line]))
		one[0].terms[0].bytes == 2 * bytes
	}
}

test_the_memory_limit_in_a_variable if {
	env := array.concat(children("20").env, [{"name": "PHP_MEMORY_LIMIT", "value": "128M"}])
	found := php.ceilings with input as pod("php", {"env": env}, [])
	found[0].terms[0].bytes == 2560 * 1048576
}
