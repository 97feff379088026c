package headroom.exempt

import data.headroom.words
import data.headroom.workload

# comments are what comments of the file say, as `# headroom:ignore HR302,HR307 until=2027-01-31 the reason`. Each rule
# has an entry, {shown, rule (an ID, "" when no rule has that name), reason, until, paths, path}. A comment speaks for
# what begins on its line, or below it, and for all in it. Paths lead there from the document. path leads to the first
# of them from the object.
comments := [entry |
	some comment in workload.comments
	said := regex.split(`\s+`, trim_space(comment.text))
	some name in split(trim(said[0], ",:;"), ",")
	entry := {
		"shown": trim_space(concat(" ", ["headroom:ignore", words.shown(name)])),
		"rule": rule_id(name),
		"reason": concat(" ", [word | some i, word in said; i > 0; not startswith(word, "until=")]),
		"until": trim_right(concat("", [substring(word, 6, -1) | some word in said; startswith(word, "until=")]), ";,"),
		"paths": comment.paths,
		"path": _within_object(comment.paths),
	}
]

_within_object(paths) := array.slice(paths[0], count(workload.path_prefix), count(paths[0])) if {
	covers(workload.path_prefix, paths[0])
} else := []

# covers says whether one path leads to another, or to what that is in.
covers(path, other) if array.slice(other, 0, count(path)) == path

# from_comment is the exemption that a comment gives what a rule finds at a path of the document.
from_comment(id, path) := {"reason": entry.reason, "until": entry.until, "source": "comment"} if {
	entry := [entry |
		some entry in comments
		entry.rule == id
		holds(entry)
		some at in entry.paths
		covers(at, path)
	][0]
}

# comment_problems are [entry, why, what it should be, {}] for comments that exempt nothing, whatever the rules find.
comment_problems := [[entry, why, expected, {}] | some entry in comments; some [why, expected] in _wrong(entry)]

_wrong(entry) := [["names no rule", "the ID or name of a rule: `headroom rules` lists them"]] if {
	entry.rule == ""
} else := [["stands above no field", "the comment on the line of the field, or on the line above it"]] if {
	entry.paths == []
} else := array.concat(
	[["gives no reason", "the reason behind the rule: `# headroom:ignore HR302 why this is right here`"] |
		not is_reason(entry.reason)
	],
	array.concat(
		[[sprintf("ended with %s", [words.quoted(entry.until)]), "no comment, or a later day such as until=2027-01-31"] |
			expired(entry.until)
		],
		[[why, "no comment, or a namespace that allows it"] |
			not allowed(entry.rule)
			why := sprintf("is not allowed in namespace %s", [words.shown(workload.namespace)])
		],
	),
)

# within says that a comment speaks for nothing but what is judged: an object of a List, or one Pod of an object.
within(entry) if {
	entry.paths != []
	every path in entry.paths {
		covers(array.concat(workload.path_prefix, workload.judged_path), path)
	}
}
