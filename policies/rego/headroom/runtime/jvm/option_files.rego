package headroom.runtime.jvm

import data.headroom.process

# Files of options that a ConfigMap of the same input puts into the container, read as the JDKs read them (measured on
# 8 to 28). A file that a JVM would read otherwise is left as a place where flags may hide.

# with_argument_files is java's line with the words of argument files in place of @file, and which file each is of.
# java looks for @file among its own arguments only, and a file names no further one. Java 8 takes @file for a class,
# and so do others behind --disable-@files.
with_argument_files(c, line) := {"line": whole, "files": _files_of(parts)} if {
	contains(line, "\u0001@")
	release := _release_of(c)
	facts := object.union_n([_fact_of_tag(release), facts_of_image(c.raw), facts_of(c.name)])
	least := object.get(release, "feature", object.get(release, "least", 0))
	object.get(facts, ["version", "feature"], least) > 8
	own := regex.find_n(_own_arguments, line, 1)[0]
	words := array.slice(split(own, process.separator), 1, process.max_command)
	_short_together(c, [substring(word, 1, -1) | some word in words; startswith(word, "@")])
	parts := [_argument_part(c, word) | some word in words]
	not "--disable-@files" in [word | some part in parts; some word in part.words]
	whole := concat("", [_line_of(parts), trim_prefix(line, own)])
} else := {"line": line, "files": {}}

# A name of a few bytes brings a file of 128 KiB, and as often as it stands there.
_short_together(c, files) if {
	count(files) <= process.max_named
	sum([count(process.mounted(c, file).text) | some file in files]) < process.max_command
}

_line_of(parts) := concat("", [concat("", [process.separator, word]) | some part in parts; some word in part.words])

_files_of(parts) := {word: part.file | some part in parts; part.file != ""; some word in part.words}

_argument_part(c, word) := {"words": words, "file": file} if {
	startswith(word, "@")
	file := substring(word, 1, -1)
	text := process.mounted(c, file).text
	regex.match(_whole_argument_file, text)
	tokens := regex.find_n(_token_or_comment, text, -1)
	words := [_unquoted_argument(token) | some token in tokens; not startswith(token, "#")]
} else := {"words": [word], "file": ""}

# Blanks and lines separate; # begins a comment, but within a word releases differ; a backslash counts in quotes only.
_argument_token := concat("", [
	`(?:[^\s"'#\x00-\x03]|"(?:[^"\\\n\r\x00-\x03]|\\\r?[^\x00-\x03])*"|`,
	`'(?:[^'\\\n\r\x00-\x03]|\\\r?[^\x00-\x03])*')+`,
])

_token_or_comment := concat("", [`#[^\n\r]*|`, _argument_token])

_whole_argument_file := concat("", [`^(?:\s+|#[^\n\r]*(?:[\n\r]|$)|`, _argument_token, `(?:\s|$))*$`])

_unquoted_argument(token) := concat("", [_of_quotes(part) |
	some part in regex.find_n(`"(?:[^"\\]|\\[^\x00])*"|'(?:[^'\\]|\\[^\x00])*'|[^"']+`, token, -1)
])

# A backslash at a line's end takes the next line along, without the blanks before it.
_of_quotes(part) := part if not substring(part, 0, 1) in {`"`, "'"}

_of_quotes(part) := regex.replace(regex.replace(inner, `\\\r?\n\s*`, ""), `\\(.)`, "$1") if {
	substring(part, 0, 1) in {`"`, "'"}
	inner := substring(part, 1, count(part) - 2)
}

# with_option_files are sources with the options of -XX:VMOptionsFile= in their place, and those of -XX:Flags=, which
# every source overrides, in front.
with_option_files(c, sources) := sources if {
	every s in sources { not regex.match(_names_file, s.text) }
} else := array.concat(
	[source | source := _flags_file(c, sources)],
	[_with_file(c, s, sources) | some s in sources],
)

_names_file := `(?:^|\s)-XX:(?:VMOptionsFile|Flags)=`

# Of several the JVM reads the last.
_last_flags_file(sources) := files[count(files) - 1] if {
	files := [file | some s in sources; some file in s.options["-XX:Flags"]]
	count(files) > 0
} else := ""

_flags_file(c, sources) := {
	"name": concat("", ["-XX:Flags=", file]),
	"rank": 0,
	"path": s.path,
	"options": options_of_words(list),
	"words": list,
	"assumed": s.assumed,
	"text": concat(" ", list),
} if {
	file := _last_flags_file(sources)
	text := _plain_text(c, file)
	bare := regex.replace(text, `#[^\n]*`, "")
	list := [concat("", ["-XX:", process.unquoted(word)]) | some word in process.words(bare)]
	s := [s | some s in sources; file in s.options["-XX:Flags"]][0]
}

# No quote stays open, and nothing of it reads like a mark of ours.
_plain_text(c, file) := text if {
	text := process.mounted(c, file).text
	count(text) < process.max_command
	not process.unmatched(text)
	not regex.match(`[\x00-\x03]`, text)
}

# The options themselves stay among the words: Java 8 knows no VMOptionsFile. What was read hides nothing.
_with_file(_, s, _) := s if not regex.match(_names_file, s.text)

_with_file(c, s, sources) := object.union(s, {
	"options": _options_again(s, words),
	"words": words,
	"text": concat(" ", [word | some part in parts; some word in array.concat(part.hides, part.words)]),
	"files": object.union(object.get(s, "files", {}), _files_of(parts)),
}) if {
	regex.match(_names_file, s.text)
	last := _last_flags_file(sources)
	read_last := {"file": last, "read": count([file | file := last; _plain_text(c, file)]) > 0}
	vm_options_files := _vm_options_files(s, sources)
	parts := [_part_read(c, word, read_last, vm_options_files) | some word in words_of(s)]
	words := [word | some part in parts; some word in array.concat([part.word], part.words)]
}

# The JVM takes one in each source, and gets JDK_JAVA_OPTIONS as part of the command line.
_vm_options_files(s, sources) := count([word |
	some other in sources
	_one_source(s.rank, other.rank)
	some word in words_of(other)
	startswith(word, "-XX:VMOptionsFile=")
])

_one_source(rank, rank)

_one_source(rank, other) if {rank, other} == {ranks.JDK_JAVA_OPTIONS, command_rank}

# A word that is no option stops the JVM, a comment among them.
_part_read(c, word, flags_file, vm_options_files) := {"word": word, "hides": [], "file": file, "words": words} if {
	startswith(word, "-XX:VMOptionsFile=")
	vm_options_files == 1
	file := trim_prefix(word, "-XX:VMOptionsFile=")
	text := _plain_text(c, file)
	words := [process.unquoted(w) | some w in process.words(text)]
	every w in words { startswith(w, "-") }
} else := {"word": word, "hides": [], "file": "", "words": []} if {
	startswith(word, "-XX:Flags=")
	_has_no_say(trim_prefix(word, "-XX:Flags="), flags_file)
} else := {"word": word, "hides": [word], "file": "", "words": []}

_has_no_say(file, last) if file != last.file

_has_no_say(_, last) if last.read

_options_again(s, words) := options_of_arguments(words) if s.rank == command_rank

_options_again(s, words) := options_of_words(words) if s.rank != command_rank
