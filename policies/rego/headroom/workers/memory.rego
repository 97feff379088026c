package headroom.workers

import data.headroom.ceiling
import data.headroom.quantity
import data.headroom.registry

# What workers are made of, no manifest says: the annotation does, `python worker=180Mi`.

# fact is what a word behind the name of a runtime with workers looks like.
fact := `version=[^ ]*|worker=[1-9][0-9]{0,9}(?:Ki|Mi|Gi|k|M|G)?`

# ceilings are what all workers of a runtime take together, where somebody says what one does.
ceilings(runtime) := [{
	"c": pool.c,
	"sure": true,
	"path": pool.path,
	"terms": [{
		"text": sprintf("%v workers (%s) × %v MiB each (declared)", [pool.workers, pool.source, ceiling.mib(each)]),
		"product": true,
		"bytes": bytes,
		"sure": false,
	}],
	"before": "any of them frees memory",
	"expected": sprintf("at most %v workers, or limits.memory of %s", [
		floor((pool.c.memory_limit * share) / each),
		ceiling.limit_for(bytes, share),
	]),
} |
	some pool in pools
	pool.per == "process"
	registry.declared[pool.c.name][0] == runtime
	each := declared_bytes(pool.c.name)
	bytes := pool.workers * each
]

# share of the limit: a tenth is for the process that starts them, and for what they do not share.
share := 0.9

# declared_bytes are what an annotation says that one worker of a container takes.
declared_bytes(name) := bytes if {
	some word in registry.declared[name]
	[_, text] := split(word, "=")
	startswith(word, "worker=")
	bytes := quantity.bytes(text)
	bytes > 0
}
