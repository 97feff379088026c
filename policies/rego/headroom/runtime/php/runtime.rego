# METADATA
# title: PHP
# description: |
#   PHP: FPM, Apache's module and scripts. Shown by the annotation, by the command or by the image. pm.max_children is
#   how many processes FPM may run at once; what one takes, its application decides (R22).
package headroom.runtime.php

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.registry
import data.headroom.serving
import data.headroom.workers
import data.headroom.workload

about := {
	"words": "PHP",
	"rank": 3,
	"example": "php worker=60Mi",
	"marks": ["PHP_VERSION"],
	"images": ["php", "bitnami/php-fpm", "bitnamilegacy/php-fpm", "serversideup/php", "webdevops/php"],
	"starts": ["apache2-foreground", "php", "php-fpm"],
	"variables": [name | some name in _children_variables],
}

# The names that serversideup/php and webdevops/php give pm.max_children (R22).
_children_variables := {"FPM_PM_MAX_CHILDREN", "PHP_FPM_PM_MAX_CHILDREN"}

# The facts of its annotation: what one process takes of the memory.
fact := workers.fact

found := object.union(serving.found("php"), {id: {"sure": true, "evidence": concat(" ", [min(names), "is set"])} |
	some id, present in environment.present
	names := present & _children_variables
	names != set()
})

# ceilings are what all of FPM's processes take together, where somebody says what one does.
ceilings := [{
	"c": children.c,
	"sure": true,
	"path": children.path,
	"terms": [{
		"text": sprintf("%v processes (%s) × %v MiB each (declared)", [children.count, children.source, ceiling.mib(each)]),
		"product": true,
		"bytes": bytes,
		"sure": false,
	}],
	"before": "any of them frees memory",
	"expected": sprintf("pm.max_children of at most %v, or limits.memory of %s", [
		floor((children.c.memory_limit * workers.share) / each),
		ceiling.limit_for(bytes, workers.share),
	]),
} |
	some children in _children
	each := workers.declared_bytes(children.c.name)
	bytes := children.count * each
]

_children := [child |
	some c in workload.containers
	registry.declared[c.name][0] == "php"
	child := _child(c)
]

_child(c) := {
	"c": c, "count": to_number(setting.text), "path": setting.path, "source": concat("=", [name, setting.text]),
} if {
	some name in _children_variables
	setting := environment.setting(c, name)
	setting.state == "literal"
	regex.match(_count, setting.text)
} else := {"c": c, "count": to_number(text), "path": array.concat(c.path, ["image"]), "source": _key} if {
	texts := [groups[1] |
		some file in _files
		some groups in regex.find_all_string_submatch_n(_setting, serving.file(c, file), -1)
	]
	text := texts[count(texts) - 1]
}

_key := "pm.max_children"

_count := `^[1-9][0-9]{0,5}$`

_setting := `(?m)^[ \t]*pm\.max_children[ \t]*=[ \t]*([1-9][0-9]{0,5})[ \t]*(?:;.*)?$`

# In the order in which the official image reads them.
_files := [sprintf("/usr/local/etc/php-fpm.d/%s.conf", [name]) | some name in ["docker", "www", "zz-docker", "zzz"]]
