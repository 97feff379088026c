package headroom.runtime.mysql_test

import data.headroom.registry
import data.headroom.runtime.mysql

pod(container, text) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	}},
	"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"app.conf": text}}]},
}

# sizes are the terms of what may be taken, in MiB.
sizes(container, text) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := mysql.ceilings with input as pod(container, text)
}

cases := [
	[{"image": "mysql:8", "args": ["--innodb-buffer-pool-size=2G"]}, [2048, 52]],
	[{"image": "mariadb:11", "args": ["--innodb_buffer_pool_size", "512M"]}, [512, 52]],
	[{"command": ["mysqld", "--innodb-buffer-pool-size=1073741824"]}, [1024, 52]],
	[
		{"image": "bitnami/mysql:8", "env": [{"name": "MYSQL_EXTRA_FLAGS", "value": "--a=b --innodb-buffer-pool-size=2G"}]},
		[2048, 52],
	],
	[
		{
			"image": "bitnami/mariadb:11",
			"env": [{"name": "MARIADB_EXTRA_FLAGS", "valueFrom": {"secretKeyRef": {"name": "a"}}}],
		},
		[],
	],
	[{"image": "mysql:8", "args": ["--innodb-buffer-pool-size=2GB"]}, []],
	[{"image": "mysql:8"}, []],
	[{"image": "mysql:8", "command": ["mysqldump", "--innodb-buffer-pool-size=2G"]}, []],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container, "") == want
	}
}

shown := [
	[{"image": "mysql:8"}, "mysql"],
	[{"image": "mariadb:11", "args": ["mariadbd"]}, "mysql"],
	[{"image": "prom/mysqld-exporter"}, ""],
]

test_found if {
	every case in shown {
		[container, want] := case
		running := registry.running[0].name with input as pod(container, "")
		running == want
	}
}
