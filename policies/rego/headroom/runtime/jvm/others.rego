package headroom.runtime.jvm

# runs_other says that a container's command surely runs no JVM: sleep, a shell that waits for a
# port, a chown. An image's JVM, and the variables that it would read, say nothing then.
runs_other(c) if {
	heads := _heads(c)
	count(heads) > 0
	count(heads - _utilities) == 0
}

# _heads are the programs that a command starts, without their folders.
_heads(c) := {head |
	some begun in regex.find_n(_begun_command, replace(script, "\\\n", " "), -1)
	head := regex.find_n(_last_name, begun, 1)[0]
} if {
	script := _shell_script(c)
} else := {regex.find_n(_last_name, words[0], 1)[0]} if {
	words := _words_of(c)
	count(words) > 0
}

_shell_script(c) := groups[1] if {
	joined := concat(separator, array.concat([""], _words_of(c)))
	some groups in regex.find_all_string_submatch_n(_shell_command, joined, 1)
}

# A command of a script up to its name: behind keywords, variables that are set for it, and exec.
_begun_command := concat("", [
	"(?:^|[;&|\\n(){}`])\\s*(?:(?:then|do|else|elif|if|while|until|!|exec|sudo|nohup|time|command|-\\S+|",
	`[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s"';&|]*))\s+)*`,
	"[\"']?[^\\s\"';&|(){}`]+",
])

_last_name := "[^/\\s\"';&|(){}`]+$"

# What images and charts run beside or before a server. keytool is a JVM, for a moment.
_utilities := {
	"[", "[[", ":", "awk", "base64", "basename", "break", "cat", "cd", "chgrp", "chmod", "chown", "continue", "cp",
	"curl", "cut", "date", "dd", "df", "dig", "dirname", "done", "du", "echo", "egrep", "envsubst", "esac", "exit",
	"export", "expr", "false", "fgrep", "fi", "for", "getent", "git", "grep", "gunzip", "gzip", "head",
	"hostname", "id", "ip", "jq", "keytool", "kill", "kubectl", "ln", "local", "ls", "md5sum", "mkdir", "mkfifo",
	"mktemp", "mount", "mv", "mysql", "mysqladmin", "nc", "ncat", "nslookup", "openssl", "pg_isready", "ping", "pkill",
	"printenv", "printf", "ps", "psql", "pwd", "read", "readlink", "realpath", "redis-cli", "return", "rm", "rmdir",
	"sed", "seq", "set", "sha256sum", "shift", "shopt", "sleep", "sort", "stat", "sync", "sysctl", "tail", "tar", "tee",
	"test", "touch", "tr", "trap", "true", "ulimit", "umask", "uname", "uniq", "unset", "unzip", "wait", "wc", "wget",
	"which", "whoami", "xxd", "yq",
}
