package headroom.serving_test

import data.headroom.serving
import data.headroom.workload

server := {"words": [["--a", []], ["1", []], ["--a=2", [1]], ["--ab=3", []]]}

test_the_last_option_counts if {
	serving.option(server, ["--a"]) == {"text": "2", "path": [1]}
	serving.option(server, ["--x", "--ab"]).text == "3"
	not serving.option(server, ["--b"])
	not serving.option({"words": [["--a", []]]}, ["--a"])
}

running(container) := found if {
	found := serving.served with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [container]}}
}

test_what_serves if {
	running({"image": "redis:7"})[0].evidence == "image redis"
	running({"image": "redis:7", "args": ["--port", "1"]})[0].words[1][0] == "1"
	running({"image": "redis:7", "args": ["redis-server", "--port", "1"]})[0].evidence == "its command runs redis-server"
	running({"image": "redis:7", "args": ["sh"]}) == {}
	running({"image": "redis:7", "args": ["/etc/redis.conf"]})[0].words[0][0] == "/etc/redis.conf"
	running({"image": "redis:7", "command": ["sh"]}) == {}
	running({"command": ["gunicorn", "app"]}) == {}
	running({"command": ["tini", "--", "redis-server"]})[0].runtime == "redis"
	running({"command": ["app", "--engine", "redis-server"]}) == {}
	running({"image": null, "command": null, "args": 3}) == {}
}

test_files_of_a_folder if {
	every case in [
		[{"mountPath": "/etc/a"}, {}, {"/etc/a/x.cnf": "1", "/etc/a/y.cnf": "2"}],
		[{"mountPath": "/etc/a/"}, {"items": [{"key": "y.cnf", "path": "z.cnf"}]}, {"/etc/a/z.cnf": "2"}],
		[{"mountPath": "/etc/a/b.cnf", "subPath": "x.cnf"}, {}, {"/etc/a/b.cnf": "1"}],
		[{"mountPath": "/etc"}, {}, {}],
		[{"mountPath": "/etc/a/b/c.cnf", "subPath": "x.cnf"}, {}, {}],
		[{"mountPath": "/etc/a"}, {"name": "none"}, {}],
		[{"mountPath": 5}, {}, {}],
	] {
		[mount, source, want] := case
		mounts := [object.union({"name": "conf"}, mount)]
		container := {"name": "app", "volumeMounts": mounts}
		found := serving.files(workload.containers[0], "/etc/a") with input as {
			"apiVersion": "headroom.dev/v1alpha1",
			"kind": "Review",
			"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
				"containers": [container],
				"volumes": [{"name": "conf", "configMap": object.union({"name": "conf"}, source)}],
			}},
			"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"x.cnf": "1", "y.cnf": "2"}}]},
		}
		found == want
	}
}
