package headroom.runtime.jvm

# separator stands between the arguments of a command while they are one text.
separator := "\u0001"

# A value or a command of this size is no set of flags; Go's query decoder, which takes
# them apart, refuses more than 10,000 parts.
max_text := 9000

# options_of_text takes the value of JAVA_TOOL_OPTIONS and its like apart, as the JVM does:
# blanks separate, quotes group, a backslash is a backslash. The result has every value of
# each option in order: {"-XX:MaxRAMPercentage": ["75.0"], "-XX:UseG1GC": ["+"], "-server": [""]}.
options_of_text(text) := _options(_with_amp(strings.replace_n(_text_escapes, text))) if {
	not regex.match(`["']`, text)
	count(text) < max_text
} else := options_of_words([unquoted(word) | some word in words(text)]) if {
	count(text) < max_text
} else := {}

# words of a text with quotes; unmatched holds what is left of a quote that does not close.
words(text) := regex.find_n(_word, text, -1)

_word := `(?:[^\s"']|"[^"]*"|'[^']*')+`

unmatched(text) if {
	regex.match(`["']`, text)
	regex.match(`["']`, regex.replace(text, `"[^"]*"|'[^']*'`, ""))
}

unquoted(word) := concat("", [_bare(part) | some part in regex.find_n(_quoted_part, word, -1)])

_quoted_part := `"[^"]*"|'[^']*'|[^"']+`

_bare(part) := trim(part, quote) if {
	quote := substring(part, 0, 1)
	quote in {`"`, "'"}
} else := part

options_of_words(list) := _options(_with_amp(strings.replace_n(_word_escapes, concat(separator, list)))) if {
	count(list) < max_text
	count(list) > 0
} else := {}

_with_amp(text) := concat("&", ["", text])

_options(encoded) := urlquery.decode_object(strings.replace_n(
	_own_syntax,
	# A switch becomes an option with a value, so that its last setting is found like any other's.
	regex.replace(encoded, `&-XX:(%2B|-)([A-Za-z0-9_]+)`, "&-XX:$2=$1"),
))

# Options with a syntax of their own, as the flags that they set. -Xss leaves its mark: it counts
# bytes, ThreadStackSize kilobytes.
_own_syntax := {"&-Xmx": "&-XX:MaxHeapSize=", "&-Xms": "&-XX:InitialHeapSize=", "&-Xss": "&-XX:ThreadStackSize=Xss"}

_text_escapes := {
	"%": "%25",
	"&": "%26",
	";": "%3B",
	"+": "%2B",
	" ": "&",
	"\t": "&",
	"\n": "&",
	"\r": "&",
	"\u000b": "&",
	"\u000c": "&",
}

_word_escapes := {
	"%": "%25",
	"&": "%26",
	";": "%3B",
	"+": "%2B",
	"\u0001": "&",
	" ": "%20",
	"\t": "%09",
	"\n": "%0A",
	"\r": "%0D",
}
