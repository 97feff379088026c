package headroom.process

# strings_of are the texts of a list, args those of a container: what else stands there no API server lets through.
strings_of(list) := [word | some word in list; is_string(word)]

args(c) := strings_of(object.get(c.raw, "args", []))

# joined is a command as one text, as the patterns here read it.
joined(words) := concat(separator, array.concat([""], words))

# max_command is longer than any command that people write; the kernel's own limit is 128 KiB for one argument.
max_command := 131072

# path_of_command is where a container's last words stand.
path_of_command(c) := array.concat(c.path, ["args"]) if count(args(c)) > 0

path_of_command(c) := array.concat(c.path, ["command"]) if count(args(c)) == 0

# separator stands between the arguments of a command while they are one text.
separator := "\u0001"

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
