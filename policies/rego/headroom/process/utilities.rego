package headroom.process

# A line that runs the script of a shell.
_shell_command := concat("", [`(?s)^`, wrapper, shell_name, _shell_options, `\x01([^\x01]*)`])

# only_utilities says that the words of a command surely run no server: sleep, a shell that waits for a port, a chown.
only_utilities(words) if {
	heads := _heads(words)
	count(heads) > 0
	count(heads - utilities) == 0
}

# _heads are the programs that a command starts, without their folders.
_heads(words) := {head |
	some begun in regex.find_n(begun_command, replace(script, "\\\n", " "), -1)
	head := regex.find_n(last_name, begun, 1)[0]
} if {
	script := first_script(words)
} else := {regex.find_n(last_name, words[0], 1)[0]} if {
	count(words) > 0
}

# first_script is the script of a shell that a command starts behind wrappers.
first_script(words) := groups[1] if {
	some groups in regex.find_all_string_submatch_n(_shell_command, joined(words), 1)
}

# begun_command is a command of a script up to its name: behind keywords, variables that are set for it, and exec. An
# option ends where a command may begin: else each of many in a row would be looked for up to the end of the script.
begun_command := concat("", [
	"(?:^|[;&|\\n(){}`])\\s*(?:(?:then|do|else|elif|if|while|until|!|exec|sudo|nohup|time|command|-[^\\s;&|(){}`]+|",
	`[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s"';&|]*))\s+)*`,
	"[\"']?[^\\s\"';&|(){}`]+",
])

# last_name is a program without its folder.
last_name := "[^/\\s\"';&|(){}`]+$"

# utilities are what images and charts run beside or before a server. keytool is a JVM, for a moment.
utilities := {
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
