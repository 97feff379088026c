package headroom.runtime.postgresql_test

import data.headroom.reviews_test as reviews
import data.headroom.rules.runtimes["runtime-reaches-limit"] as rule
import data.headroom.runtime.postgresql
import data.headroom.runtimes

# sizes are the terms of what may be taken, in MiB.
sizes(container, text) := [floor(term.bytes / 1048576) | some term in found[_].terms] if {
	found := postgresql.ceilings with input as reviews.with_file(container, text)
}

cases := [
	[{"image": "postgres:17", "args": ["-c", "shared_buffers=2GB"]}, [2048]],
	[{"image": "postgres:17", "args": ["-c", "shared_buffers=1GB", "-c", "shared_buffers=512MB"]}, [512]],
	[{"image": "postgres:17", "args": ["--shared-buffers=128MB"]}, [128]],
	[{"image": "postgres:17", "args": ["-cshared_buffers=128MB"]}, [128]],
	[{"image": "postgres:17", "args": ["-B", "16384"]}, [128]],
	[{"command": ["postgres", "-c", "shared_buffers=65536"]}, [512]],
	[{"command": ["sh", "-c", "exec postgres -c shared_buffers=256MB"]}, [256]],
	[{"command": ["docker-entrypoint.sh", "postgres", "-c", "shared_buffers=256MB"]}, [256]],
	[
		{"command": ["postgres", "-c", "shared_buffers=256MB", "-c", "work_mem=4MB", "-c", "max_connections=100"]},
		[256, 400],
	],
	[
		{"command": ["postgres", "-c", "shared_buffers=256MB", "-c", "work_mem=4096", "-c", "max_connections=100"]},
		[256, 400],
	],
	[{"command": ["postgres", "-c", "shared_buffers=256MB", "-c", "work_mem=4MB"]}, [256]],
	[{"command": ["postgres", "-c", "work_mem=64MB", "-c", "max_connections=100"]}, [6400]],
	[{"command": ["postgres", "-c", "work_mem=64MB"]}, []],
	[{"command": ["postgres", "-c", "max_connections=100"]}, []],
	[{"command": ["postgres", "-c", "shared_buffers=2gb"]}, []],
	[{"command": ["postgres", "-c", "shared_buffers=50%"]}, []],
	[{"command": ["postgres", "-c"]}, []],
	[{"command": ["postgres"]}, []],
	[{"image": "postgres:17", "command": ["pg_dump", "-c", "shared_buffers=2GB"]}, []],
	[{"image": "postgres:17", "args": ["psql", "-c", "shared_buffers=2GB"]}, []],
	[{"image": "quay.io/prometheuscommunity/postgres-exporter", "args": ["--shared_buffers=2GB"]}, []],
]

test_sizes if {
	every case in cases {
		[container, want] := case
		sizes(container, "") == want
	}
}

files := [
	[{"command": ["postgres", "-c", "config_file=/conf/app.conf"]}, "shared_buffers = 2GB # much\n", [2048]],
	[
		{"command": ["postgres", "-c", "config_file=/conf/app.conf"]},
		"shared_buffers='2 GB'\nshared_buffers 1GB",
		[1024],
	],
	[{"command": ["postgres", "-c", "config_file=/conf/app.conf"]}, "#shared_buffers = 2GB", []],
	[{"command": ["postgres", "-c", "config_file=/etc/other.conf"]}, "shared_buffers = 2GB", []],
	[
		{"command": ["postgres", "-c", "config_file=/conf/app.conf", "-c", "shared_buffers=1MB"]},
		"shared_buffers = 2GB",
		[1],
	],
]

test_files if {
	every case in files {
		[container, text, want] := case
		mounted := object.union(container, {"volumeMounts": [{"name": "conf", "mountPath": "/conf"}]})
		sizes(mounted, text) == want
	}
}

shown := [
	[{"image": "postgres:17"}, "postgresql"],
	[{"image": "mirror.example/hub/bitnami/postgresql:16"}, "postgresql"],
	[{"image": "example.com/shop/postgres:17"}, ""],
	[{"image": "postgres:17", "args": ["-c", "x=y"]}, "postgresql"],
	[{"image": "postgres:17", "args": ["postgres"]}, "postgresql"],
	[{"image": "postgres:17", "command": ["sleep", "1"]}, ""],
	[{"command": ["wait-for", "postgres"]}, ""],
]

test_found if {
	every case in shown {
		[container, want] := case
		running := runtimes.running[0].name with input as reviews.with_file(container, "")
		running == want
	}
}

test_what_is_wanted if {
	alone := postgresql.ceilings with input as reviews.with_file({"command": ["postgres", "-c", "shared_buffers=1GB"]}, "")
	alone[0].expected == "shared_buffers of at most 256MB (25 % of limits.memory), or limits.memory of 4096Mi"

	command := ["postgres", "-c", "shared_buffers=256MB", "-c", "work_mem=16MB", "-c", "max_connections=100"]
	sorting := postgresql.ceilings with input as reviews.with_file({"command": command}, "")
	sorting[0].expected == concat(" ", [
		"921MB at most of shared_buffers and what sorts at once (90 % of limits.memory):",
		"fewer connections, as behind a pooler, or a smaller work_mem",
	])
}

# That all connections sort at once is possible; buffers that are more than the limit are sure to be too much.
test_all_connections_at_once if {
	every buffers, severity in {"1GB": "error", "256MB": "info"} {
		sorts := ["-c", "work_mem=16MB", "-c", "max_connections=100"]
		command := array.concat(["postgres", "-c", concat("=", ["shared_buffers", buffers])], sorts)
		some f in rule.report with input as reviews.with_file({"command": command}, "")
		f.severity == severity
	}
}
