# METADATA
# title: PHP
# description: |
#   PHP: FPM, Apache's module and scripts. Shown by the annotation, by the command or by the image. pm.max_children is
#   how many processes FPM may run at once; what one takes, its application decides, up to memory_limit (R22).
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
	"variables": [name | some name in (_children_variables | {_limit_variable})],
}

# The names that serversideup/php and webdevops/php give pm.max_children (R22).
_children_variables := {"FPM_PM_MAX_CHILDREN", "PHP_FPM_PM_MAX_CHILDREN"}

# That of serversideup/php and webdevops/php gives memory_limit.
_limit_variable := "PHP_MEMORY_LIMIT"

# The facts of its annotation: what one process takes of the memory.
fact := workers.fact

found := object.union(serving.found("php"), {id: {"sure": true, "evidence": concat(" ", [min(names), "is set"])} |
	some id, present in environment.present
	names := present & _children_variables
	names != set()
})

# ceilings are what all of FPM's processes take together: what somebody says that one does, else what its script may
# take. That is a bound which few of them reach at a time, so that it is possible and no more.
ceilings := [object.union(_said(children), {
	"c": children.c,
	"path": children.path,
	"before": "any of them frees memory",
	"terms": [{
		"text": sprintf("%v processes (%s) × %s", [children.count, children.source, _said(children).text]),
		"product": true,
		"bytes": children.count * _said(children).each,
		"sure": false,
	}],
}) |
	some children in _children
]

_said(children) := {
	"sure": true,
	"each": each,
	"text": sprintf("%v MiB each (declared)", [ceiling.mib(each)]),
	"expected": sprintf("pm.max_children of at most %v, or limits.memory of %s", [
		floor((children.c.memory_limit * workers.share) / each),
		ceiling.limit_for(children.count * each, workers.share),
	]),
} if {
	each := workers.declared_bytes(children.c.name)
} else := {
	"sure": false,
	"possible": true,
	"each": each,
	"text": sprintf("%v MiB each at the most (memory_limit)", [ceiling.mib(each)]),
	"expected": concat(" ", [
		"pm.max_children, times what one process takes, below 90 % of limits.memory;",
		sprintf("worker= in the annotation runtime.headroom.dev/%s says what one takes, as measured", [children.c.name]),
	]),
} if {
	each := _memory_limit(children.c)
}

# memory_limit is what one script may take, in bytes, where the same files or the images' variables set it.
_memory_limit(c) := _bytes(setting.text) if {
	setting := environment.setting(c, _limit_variable)
	setting.state == "literal"
} else := _bytes(texts[count(texts) - 1]) if {
	texts := [groups[1] |
		some folder in ["/usr/local/etc/php", "/usr/local/etc/php/conf.d", _pools]
		some groups in regex.find_all_string_submatch_n(_limit, concat("\n", _texts(c, folder)), -1)
	]
}

_limit := `(?m)^[ \t]*(?:php_(?:admin_)?value\[memory_limit\]|memory_limit)[ \t]*=[ \t]*["']?([0-9]+[KkMmGg]?)\b`

_bytes(text) := to_number(groups[1]) * _units[lower(groups[2])] if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,9})([KkMmGg]?)$`, text, 1)[0]
	to_number(groups[1]) > 0
}

_units := {"": 1, "k": 1024, "m": 1048576, "g": 1073741824}

_children := [child |
	some c in workload.containers
	_runs_php(c)
	child := _child(c)
]

_runs_php(c) if found[c.id]

_runs_php(c) if registry.declared[c.name][0] == "php"

# Of two variables that differ, the image decides which one counts.
_child(c) := children[0] if {
	children := [child |
		some name in _children_variables
		setting := environment.setting(c, name)
		setting.state == "literal"
		regex.match(_count, setting.text)
		child := {
			"c": c,
			"count": to_number(setting.text),
			"path": setting.path,
			"source": concat("=", [name, setting.text]),
		}
	]
	count({child.count | some child in children}) == 1
} else := {"c": c, "count": to_number(text), "path": array.concat(c.path, ["image"]), "source": _key} if {
	texts := [groups[1] |
		some groups in regex.find_all_string_submatch_n(_setting, concat("\n", _texts(c, _pools)), -1)
	]
	text := texts[count(texts) - 1]
}

# _texts are the files of a folder in the order of their names, in which the image reads them.
_texts(c, folder) := [text | some text in serving.files(c, folder)]

_pools := "/usr/local/etc/php-fpm.d"

_key := "pm.max_children"

_count := `^[1-9][0-9]{0,5}$`

_setting := `(?m)^[ \t]*pm\.max_children[ \t]*=[ \t]*([1-9][0-9]{0,5})[ \t]*(?:;.*)?$`
