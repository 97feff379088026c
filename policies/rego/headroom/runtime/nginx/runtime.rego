# METADATA
# title: nginx
# description: |
#   nginx. Shown by the annotation, by the command or by the image. `worker_processes auto`, which the official images'
#   own configuration has, starts a worker for each core of the node (R50). So do ingress controllers (R51).
package headroom.runtime.nginx

import data.headroom.cpu
import data.headroom.environment
import data.headroom.serving

about := {
	"words": "nginx",
	"images": array.concat(
		["nginx", "nginxinc/nginx-unprivileged", "bitnami/nginx", "bitnamilegacy/nginx", "openresty/openresty"],
		array.concat(_of_kubernetes, _of_nginx),
	),
	"starts": ["nginx", "openresty"],
	"variables": ["NGINX_ENTRYPOINT_WORKER_PROCESSES_AUTOTUNE", "NGINX_WORKER_PROCESSES"],
}

found := object.union(serving.found("nginx"), _found_controllers)

_file := "/etc/nginx/nginx.conf"

# counters are the workers of servers whose configuration is seen: on the command line, in a ConfigMap, or that of an
# official image where nothing is mounted over it.
counters := array.concat(_of_servers, _of_controllers)

_of_servers := [{
	"c": server.c,
	"sure": true,
	"path": said.path,
	"text": sprintf("%s (worker_processes %s)", [_words(said.text), said.text]),
	"count": _count(said.text),
	"expected": concat("", [
		sprintf("worker_processes %v (limits.cpu rounded up), ", [cpu.cores[server.c.id]]),
		`or NGINX_ENTRYPOINT_WORKER_PROCESSES_AUTOTUNE: "1" with the official image`,
	]),
} |
	some server in serving.servers("nginx")
	server.c.role != "init"
	not _tunes_itself(server.c)
	said := _said(server)
]

# The official image's entrypoint then writes the limit into the configuration.
_tunes_itself(c) if environment.setting(c, "NGINX_ENTRYPOINT_WORKER_PROCESSES_AUTOTUNE").state != "absent"

_words("auto") := "nginx starts a worker for each core of the node"

_words(text) := sprintf("nginx starts %s workers", [text]) if text != "auto"

_count("auto") := 0

_count(text) := to_number(text) if text != "auto"

_line := `(?m)(?:^|[;{])\s*worker_processes\s+(auto|[1-9][0-9]{0,3})\s*;`

_said(server) := {"text": groups[1], "path": path} if {
	some i, [word, path] in server.words
	server.words[i - 1][0] == "-g"
	groups := regex.find_all_string_submatch_n(_line, word, 1)[0]
} else := {"text": groups[1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	groups := regex.find_all_string_submatch_n(_line, serving.file(server.c, _file), 1)[0]
} else := {"text": "auto", "path": array.concat(server.c.path, ["image"])} if {
	# Bitnami's and OpenResty's images have configurations of their own.
	server.image in {"nginx", "nginxinc/nginx-unprivileged"}
	not serving.covered(server.c, _file)
	not _options(server)
}

_options(server) if server.words[_][0] in {"-c", "-g"}
