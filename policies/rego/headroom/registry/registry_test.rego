package headroom.registry_test

import data.headroom.registry
import data.headroom.runtimes

pod(annotations, containers) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [object.union({"name": name}, c) | some name, c in containers]},
}

containers := {
	"declared": {"env": [{"name": "GOGC", "value": "30"}]},
	"nonsense": {},
	"java": {"command": ["java", "-jar", "app.jar"]},
	"perhaps": {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]},
	"both": {"env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}, {"name": "GOGC", "value": "30"}]},
	"go": {"env": [{"name": "GOGC", "value": "30"}]},
	"web": {"command": ["gunicorn", "-w", "2"], "env": [{"name": "UV_THREADPOOL_SIZE", "value": "8"}]},
	"rails": {"env": [{"name": "PUMA_WORKERS", "value": "2"}]},
	"server": {"env": [{"name": "UV_THREADPOOL_SIZE", "value": "8"}]},
	"any": {"env": [{"name": "WEB_CONCURRENCY", "value": "2"}]},
	"other": {"image": "example.com/other:1"},
}

wanted := {
	"declared": ["native", "runs native code", "annotation runtime.headroom.dev/declared"],
	"nonsense": ["", "", ""],
	"java": ["jvm", "runs a JVM", "its command runs java"],
	"perhaps": ["jvm?", "probably runs a JVM", "it sets JAVA_OPTS, which start scripts hand to java"],
	"both": ["jvm?", "probably runs a JVM", "it sets JAVA_OPTS, which start scripts hand to java"],
	"go": ["go", "runs Go", "GOGC is set"],
	"web": ["python", "runs Python", "gunicorn --workers 2"],
	"rails": ["ruby", "runs Ruby", "PUMA_WORKERS=2"],
	"server": ["node", "runs Node.js", "UV_THREADPOOL_SIZE=8"],
	"any": ["", "", ""],
	"other": ["", "", ""],
}

annotations := {"runtime.headroom.dev/declared": "native", "runtime.headroom.dev/nonsense": "fortran"}

test_what_runs if {
	running := runtimes.running with input as pod(annotations, containers)
	names := [name | some name, _ in containers]
	{names[id]: [r.id, r.text, r.evidence] | some id, r in running} == wanted
}

test_nothing_shows if {
	running := runtimes.running with input as pod({}, {"app": {}})
	[[r.name, r.id, r.text] | some r in running] == [["", "", ""]]
}

test_a_declared_runtime_alone if {
	running := runtimes.running with input as pod({"runtime.headroom.dev/app": "ruby version=3.4"}, {"app": {}})
	[[r.name, r.sure] | some r in running] == [["ruby", true]]
}

# A runtime of the test's own stands for one whose directory has just been added.
toy := {"deno": {
	"about": {"words": "Deno", "aliases": ["denoland"], "category": "deno", "variables": ["DENO_DIR"]},
	"found": {0: {"sure": false, "evidence": "image deno"}},
}}

test_a_runtime_of_its_own if {
	found := {
		"running": runtimes.running[0].text,
		"categories": runtimes.categories,
		"aliases": registry.aliases,
		"variables": registry.variables,
		"names": registry.names,
		"facts": registry.facts,
		"example": registry.about.deno.example,
	} with input as pod({}, {"app": {}})
		with data.headroom.runtime as toy
	found == {
		"running": "probably runs Deno",
		"categories": {"deno"},
		"aliases": {"denoland": "deno"},
		"variables": {"DENO_DIR"},
		"names": {"deno"},
		"facts": {"deno": "version=[^ ]*"},
		"example": "deno",
	}
}

test_whom_to_believe_first if {
	ranks := {name: about.rank | some name, about in registry.about}
	first := {name: rank | some name, rank in ranks; rank < 9}
	first == {"jvm": 1, "go": 2, "php": 3, "python": 3, "ruby": 3, "node": 4, "beam": 4, "dotnet": 4}
	seen := {"about": {"words": "seen"}, "found": {0: {"sure": true, "evidence": "seen"}}}
	told := runtimes.running[0].id with input as pod({}, {"app": {}})
		with data.headroom.runtime as {
			"a": object.union(seen, {"about": {"rank": 10}}),
			"b": seen,
			"c": object.union(seen, {"about": {"rank": 9}}),
			"d": {"about": {"words": "unseen", "rank": 1}, "found": {1: {"sure": true, "evidence": "elsewhere"}}},
		}
	told == "b"
}

test_words_of_annotations if {
	read := [[name, word] |
		some [name, word] in [
			["ruby", "version=3.4"],
			["ruby", "version=3.4 threads=5"],
			["ruby", "threads=5"],
			["go", "version=1.24"],
			["go", "version=go1.24.3"],
			["go", "version=24"],
			["jvm", "threads=5"],
			["jvm", "threads=five"],
			["jvm", "version=x"],
		]
		runtimes.reads(name, word) with input as pod({"jvm.headroom.dev/app": "threads=5 threads=five"}, {"app": {}})
	]
	read == [
		["ruby", "version=3.4"],
		["go", "version=1.24"],
		["go", "version=go1.24.3"],
		["jvm", "threads=5"],
	]
}

# A runtime that lists its words reads no others.
test_words_that_a_runtime_lists if {
	listing := {"deno": {"about": {"words": "Deno"}, "readable": {"isolates=2"}}}
	read := [word |
		some word in ["isolates=2", "isolates=3", "version=1"]
		runtimes.reads("deno", word)
	] with data.headroom.runtime as listing
	read == ["isolates=2"]
}

test_every_runtime_has_its_words if {
	every name in registry.names {
		registry.about[name].words != ""
	}
}
