package headroom.serving_test

import data.headroom.serving

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
	running({"image": "redis:7", "command": ["sh"]}) == {}
	running({"command": ["gunicorn", "app"]}) == {}
	running({"command": ["tini", "--", "redis-server"]})[0].runtime == "redis"
	running({"command": ["app", "--engine", "redis-server"]}) == {}
	running({"image": null, "command": null, "args": 3}) == {}
}
