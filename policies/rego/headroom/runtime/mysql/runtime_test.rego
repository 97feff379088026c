package headroom.runtime.mysql_test

import data.headroom.runtime.mysql
import data.headroom.runtimes

pod(container, text) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "1Gi"}}}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	}},
	"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"app.cnf": text}}]},
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
		running := runtimes.running[0].name with input as pod(container, "")
		running == want
	}
}

# Each case: the limit, the pool, and what is wanted.
wanted := [
	["256Mi", "256M", "at most 153M (60 % of limits.memory, and room for the server itself), or limits.memory of 448Mi"],
	["128Mi", "76M", "at most 63M (60 % of limits.memory, and room for the server itself), or limits.memory of 192Mi"],
	["60Mi", "40M", "limits.memory of 128Mi"],
]

test_what_is_wanted if {
	every case in wanted {
		[limit, pool, want] := case
		container := {"command": ["mysqld", concat("", ["--innodb-buffer-pool-size=", pool])]}
		limited := object.union(container, {"resources": {"limits": {"memory": limit}}})
		found := mysql.ceilings with input as pod(limited, "")
		trim_prefix(found[0].expected, "innodb_buffer_pool_size of ") == want
	}
}

in_folder(path) := {"name": "conf", "mountPath": path}

in_file(path) := {"name": "conf", "mountPath": path, "subPath": "app.cnf"}

files := [
	["mysql:8", in_folder("/etc/mysql/conf.d"), "[mysqld]\ninnodb_buffer_pool_size = 2G\n", [2048, 52]],
	["mariadb:11", in_folder("/etc/mysql/mariadb.conf.d/"), "[server]\ninnodb-buffer-pool-size=512M # half\n", [512, 52]],
	["mysql:8", in_file("/etc/mysql/conf.d/90.cnf"), "[mysqld]\ninnodb_buffer_pool_size=2G", [2048, 52]],
	["mysql:8", in_file("/etc/mysql/conf.d/90.txt"), "[mysqld]\ninnodb_buffer_pool_size=2G", []],
	["mysql:8", in_folder("/etc/mysql/conf.d"), "[mysqld]\n#innodb_buffer_pool_size = 2G\n", []],
	["mysql:8", in_file("/etc/backup/90.cnf"), "[mysqld]\ninnodb_buffer_pool_size=2G", []],
	["mysql:8", in_folder("/backup"), "[mysqld]\ninnodb_buffer_pool_size = 2G\n", []],
]

test_files if {
	every case in files {
		[image, mount, text, want] := case
		sizes({"image": image, "volumeMounts": [mount]}, text) == want
	}

	# The command line goes before files.
	told := {
		"image": "mysql:8",
		"args": ["--innodb-buffer-pool-size=1G"],
		"volumeMounts": [in_folder("/etc/mysql/conf.d")],
	}
	sizes(told, "[mysqld]\ninnodb_buffer_pool_size = 2G\n") == [1024, 52]
}
