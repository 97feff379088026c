package headroom.process

# _wrappers are the programs that may stand before another and run it with its own arguments, as their manuals
# have them. A row has the options that take the next word, all options if others are refused, and how many
# operands come before the command. It also has the options that start it with an empty environment, and the
# words with which it may change the environment in another way. What is not listed takes no such options, wants
# no operands and hands the environment on. keeps are the options with which one that can change the environment
# hands all of it on.
_wrappers := {
	"busybox": {}, # busybox: https://busybox.net/downloads/BusyBox.html
	"builtin": {}, # bash: https://www.gnu.org/software/bash/manual/bash.html
	"catatonit": {}, # https://github.com/openSUSE/catatonit
	"chpst": {
		"takes": "-[uUbedomnplLfrtc/]",
		"changes": "-.*e.*",
		"keeps": {"takes": "-[uUbomnplLfrtc/]", "options": "-[vP012]"},
	}, # runit: http://smarden.org/runit/chpst.8
	"chroot": {"operands": 1}, # coreutils: https://www.gnu.org/software/coreutils/manual
	"chrt": {"takes": "-[TPD]|--sched-(?:runtime|deadline|period)", "operands": 1}, # util-linux: chrt(1)
	"command": {"options": "-p"}, # bash
	"doas": {"takes": "-[uCaL]", "changes": ".*"}, # OpenBSD: doas(1)
	"dumb-init": {"takes": "-r|--rewrite"}, # https://github.com/Yelp/dumb-init
	"env": {
		"takes": "-[uCa]|--unset|--chdir|--argv0",
		"sets": true,
		"empties": "-|-[a-z]*i[a-z]*|--i[a-z]*|--ignore-e[a-z]*",
		"keeps": {"sets": true, "options": "--"},
	}, # coreutils
	"envdir": {"operands": 1, "changes": ".*"}, # daemontools: envdir(8)
	"exec": {"takes": "-a", "empties": "-[cl]*c[cl]*", "keeps": {"options": "--"}}, # bash
	"flock": {"takes": "-[wE]|--timeout|--wait|--conflict-exit-code", "operands": 1}, # util-linux: flock(1)
	"gosu": {"operands": 1}, # https://github.com/tianon/gosu
	"ionice": {"takes": "-[cn]|--class|--classdata"}, # util-linux: ionice(1)
	"linux32": {}, # util-linux: setarch(8)
	"linux64": {}, # util-linux: setarch(8)
	"nice": {"takes": "-n|--adjustment"}, # coreutils
	"nohup": {}, # coreutils
	"nsenter": {"takes": "-[tSG]|--target|--setuid|--setgid", "changes": "-[a-zA-Z]*e.*|--e.*"}, # util-linux: nsenter(1)
	"numactl": {"takes": "-[NCmpiPw]"}, # https://github.com/numactl/numactl
	"prlimit": {}, # util-linux: prlimit(1)
	"runuser": {"takes": "-[ugG]|--user|--group|--supp-group", "empties": "-|-l|--login"}, # util-linux: runuser(1)
	"s6-envdir": {"operands": 1, "changes": ".*"}, # skarnet: s6-envdir
	"s6-setuidgid": {"operands": 1}, # skarnet: s6-setuidgid
	"setarch": {"operands": 1}, # util-linux: setarch(8)
	"setpriv": {
		"takes": concat("", [
			"--(?:ambient-caps|bounding-set|inh-caps|securebits|reuid|regid|ruid|euid|rgid|egid|groups|pdeathsig|",
			"selinux-label|apparmor-profile)",
		]),
		"empties": "--res.*",
		"keeps": {
			"takes": "--(?:reuid|regid|ruid|euid|rgid|egid|groups)",
			"options": concat("", [
				"--(?:no-new-privs|nnp|clear-groups|keep-groups|init-groups|",
				`(?:reuid|regid|ruid|euid|rgid|egid|groups|inh-caps|bounding-set)=[^\x01]*)?`,
			]),
		},
	}, # util-linux: setpriv(1)
	"setsid": {}, # util-linux: setsid(1)
	"setuidgid": {"operands": 1}, # daemontools: setuidgid(8)
	"softlimit": {"takes": "-[a-z]"}, # daemontools: softlimit(8)
	"stdbuf": {"takes": "-[ioe]|--input|--output|--error"}, # coreutils
	"strace": {
		"takes": "-[abeEIoOpPsSuUX]|--(?:trace|output|attach|user)",
		"changes": "-.*[Eu].*|--env.*",
		"keeps": {"takes": "-[abeIoOsSUX]", "options": "-[fqtvcC]+"},
	}, # strace(1)
	"su-exec": {"operands": 1}, # https://github.com/ncopa/su-exec
	"sudo": {"takes": "-[CDghpRrtTUu]|--user|--group|--host|--chdir", "sets": true, "changes": ".*"}, # sudo(8)
	"taskset": {"operands": 1}, # util-linux: taskset(1)
	"time": {"takes": "-[fo]|--format|--output"}, # time(1)
	"timeout": {"takes": "-[ks]|--kill-after|--signal", "operands": 1}, # coreutils
	"tini": {"takes": "-[pe]"}, # https://github.com/krallin/tini
	"tini-static": {"takes": "-[pe]"}, # https://github.com/krallin/tini
	"unbuffer": {}, # expect: unbuffer(1)
	"unshare": {"takes": "-[RwSGl]|--(?:root|wd|setuid|setgid|map-user|map-group)"}, # util-linux: unshare(1)
	"with-contenv": {"changes": ".*"}, # https://github.com/just-containers/s6-overlay
	"xargs": {"takes": "-[adEIlLnPs]|--(?:arg-file|delimiter|max-args|max-chars|max-lines|max-procs|replace)"}, # findutils
}

_to_command(name, about) := concat("", [
	_escaped(name),
	`(?:`, _taking(about), `\x01(?:`, object.get(about, "options", `-[^\x01]*`), `)`, _assigning(about), `)*`,
	_operands[object.get(about, "operands", 0)],
])

_escaped(name) := regex.replace(name, `([-.])`, `\$1`)

_operands := ["", `\x01[^\x01-][^\x01]*`]

_taking(about) := concat("", [`\x01(?:`, about.takes, `)\x01[^\x01]*|`]) if {
	about.takes
} else := ""

_assigning(about) := `|\x01[A-Za-z_][A-Za-z0-9_]*=[^\x01]*` if {
	about.sets
} else := ""

# One wrapper of a command line, and any number of them.
_one_wrapper := concat("", [
	`\x01(?:[^\x01]*/)?(?:`,
	concat("|", [_to_command(name, about) | some name, about in _wrappers]),
	`)`,
])

wrapper := concat("", [`(?:`, _one_wrapper, `)*`])

# Those that surely hand the whole environment on.
keeping_wrapper := concat("", [
	`(?:\x01(?:[^\x01]*/)?(?:`,
	concat("|", [_to_command(name, about) | some name, about in _keeping]),
	`))*`,
])

_keeping := object.union(
	object.filter(_wrappers, [name | some name, about in _wrappers; not about.changes; not about.empties]),
	{name: about.keeps | some name, about in _wrappers; about.keeps},
)
