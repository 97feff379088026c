package headroom.runtime.ruby_puma_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.ruby
import data.headroom.workers

pod(container) := {"apiVersion": "v1", "kind": "Pod", "spec": {
	"containers": [object.union({"name": "app", "volumeMounts": [{"name": "conf", "mountPath": "/conf"}]}, container)],
	"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
}}

# Each counter: is it sure?
found(container, text) := [counter.sure | some counter in counters] if {
	counters := ruby.counters with input as reviews.of_object(
		pod(container),
		{"config_maps": [{"metadata": {"name": "conf"}, "data": {"puma.rb": text}}]},
	)
}

env(variables) := [{"name": name, "value": value} | some name, value in variables]

production := env({"RAILS_ENV": "production"})

puma := ["bundle", "exec", "puma", "-C", "config/puma.rb"]

mounted := ["puma", "-C", "/conf/puma.rb"]

test_workers_of_the_node if {
	every case in [
		[{"command": puma, "env": production}, [false]],
		[{"command": ["bin/rails", "server"], "env": env({"RACK_ENV": "production"})}, [false]],
		[{"command": ["rails", "s"], "env": production}, [false]],
		[{"command": ["rails", "console"], "env": production}, []],
		[{"command": puma}, []],
		[{"command": puma, "env": env({"RAILS_ENV": "production", "WEB_CONCURRENCY": "2"})}, []],
		[{"command": puma, "env": production, "envFrom": [{"secretRef": {"name": "a"}}]}, []],
		[{"command": ["puma", "-w", "2"], "env": production}, []],
		[{"command": ["sidekiq"], "env": production}, []],
		[{"command": puma, "env": env({"WEB_CONCURRENCY": "auto"})}, [true]],
		[{"command": puma, "env": env({"WEB_CONCURRENCY": "auto"}), "resources": {"limits": {"cpu": "2"}}}, []],
		[{"command": ["sh", "-c", "exec puma -w $(nproc)"]}, [true]],
	] {
		[container, want] := case
		found(container, "") == want
	}
}

test_the_file if {
	every case in [
		["workers Concurrent.physical_processor_count", [true]],
		["workers ENV.fetch(\"WEB_CONCURRENCY\") { Etc.nprocessors }", [true]],
		["# workers Etc.nprocessors\nworkers 2", []],
		["workers 2", []],
	] {
		[text, want] := case
		found({"command": mounted, "env": production}, text) == want
	}
}

test_threads_share_arenas if {
	every case in [[puma, 1], [["sidekiq"], 1], [["rails", "server"], 1], [["unicorn"], 0], [["rake", "db:migrate"], 0]] {
		[command, want] := case
		allocators := ruby.allocators with input as pod({"command": command})
		count(allocators) == want
	}
}

# What Mastodon's own file says is known.
test_workers_of_mastodon if {
	mastodon := {"command": puma, "image": "ghcr.io/mastodon/mastodon:v4.3.1", "env": production}
	found(mastodon, "") == []
	every variables, want in {
		{"RAILS_ENV": "production"}: [["WEB_CONCURRENCY is not set: 2", 2]],
		{"WEB_CONCURRENCY": "4"}: [["WEB_CONCURRENCY=4", 4]],
	} {
		sizes := [[pool.source, pool.workers] | some pool in workers.pools] with input as pod(object.union(
			mastodon,
			{"env": env(variables)},
		))
		sizes == want
	}
}
