package headroom.runtime.jvm

# _text_refusals speaks of what is wrong before a text is cut into options.
_text_refusals(jvm) := array.concat(
	[{"flags": [s.name], "reason": "a quote in it is not closed", "path": s.path, "refusing": refusing} |
		some s in jvm.sources
		ranks[s.name]
		unmatched(s.text)
		refusing := every_release - _not_reading(s.name)
	],
	[{"flags": ["command line"], "reason": reason, "path": jvm.command.path, "refusing": every_release} |
		jvm.command.java
		some rest in array.slice(jvm.command.rest, 0, 1)
		regex.match(`^[\s"']+-`, rest)
		reason := "an argument begins with a blank or a quote, so java takes it for the main class"
	],
)
