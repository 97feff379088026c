package headroom.explain

import data.headroom.runtime.jvm
import data.headroom.workload

# _behind are flags that stand behind the class or jar.
_behind(j) := array.slice(
	[{
		"name": _flag_name(option),
		"text": jvm.shown({"text": word}, option, values[0]),
		"source": "command line",
		"path": array.concat(workload.path_prefix, j.command.path),
		"wins": false,
		"note": "it stands behind the class or jar: java hands it to the program",
	} |
		some word in array.slice(object.get(j.command, "rest", []), 0, 3000)
		regex.match(`^-X(?:X:[+A-Za-z-]|m[sx][0-9]|ss[0-9])`, word)
		some option, values in jvm.options_of_words([word])
	],
	0, most_flags,
)
