package headroom.judge_test

import data.headroom.judge

containers := {
	"declared": {"env": [{"name": "GOGC", "value": "30"}]},
	"nonsense": {},
	"java": {"command": ["java", "-jar", "app.jar"]},
	"perhaps": {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]},
	"go": {"env": [{"name": "GOGC", "value": "30"}]},
	"web": {"command": ["gunicorn", "-w", "2"]},
	"any": {"env": [{"name": "WEB_CONCURRENCY", "value": "2"}]},
	"other": {"image": "example.com/other:1"},
}

wanted := {
	"declared": "native",
	"nonsense": "",
	"java": "jvm",
	"perhaps": "jvm?",
	"go": "go",
	"web": "python",
	"any": "",
	"other": "",
}

test_runtimes if {
	summary := judge.summary with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {
			"runtime.headroom.dev/declared": "native",
			"runtime.headroom.dev/nonsense": "fortran",
		}},
		"spec": {"containers": [object.union({"name": name}, c) | some name, c in containers]},
	}
	{c.name: c.runtime | some c in summary.containers} == wanted
}
