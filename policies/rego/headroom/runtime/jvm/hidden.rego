package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# What an image that was not read may set, and what flags do beside it.

# image_read says that the variables of an image are known: by the lock, or as its family is known.
image_read(c) if c.raw.inside

image_read(c) if images.known(c)

# fits_hidden says that flags start beside all that the image may set. An unread one may have ConcGCThreads: up to 17 no
# more of them start than ParallelGCThreads, which follow from the processors. From 28 on the same is true of
# CICompilerCount (measured on 8 to 28). Of a pair one half may be set, and caps may be less than what is reserved.
fits_hidden(j, _) if image_read(j.c)

fits_hidden(j, added) if {
	every flag in added { startswith(flag, "-XX:ActiveProcessorCount=") }
	_concurrent_fits_hidden(j)
	every release in told_releases(j) { release.feature < 28 }
}

_concurrent_fits_hidden(j) if surely_from(j, 18)

# A ConcGCThreads of its own on the command line does not help: _JAVA_OPTIONS of an image win over that. Beside a count
# of parallel threads it starts as it did, where the collector stays: Serial, the choice on one processor, passes over
# both.
_concurrent_fits_hidden(j) if {
	j.flags.ParallelGCThreads.source == "command line"
	not _serial_by_processor(j)
}

_serial_by_processor(j) if {
	count(j.chosen) == 0
	processors := {j.processors, ceil(object.get(j.c, "lost_limit", 0) / 1000)}
	1 in processors
}

# Two collectors start nowhere: where one is chosen on the command line, an image's own is the same.
_concurrent_fits_hidden(j) if {
	count(j.chosen) > 0
	every gc in j.chosen { gc in {"Serial", "Parallel"} }
}

# surely_from says that every release that may run is of this feature or later, and that something tells of one.
surely_from(j, feature) if {
	count(told_releases(j)) > 0
	every release in told_releases(j) { release.feature >= feature }
}

# reads_output says that something of a container may read what java prints: a script that catches output, a probe or
# a hook that runs more than known tools. java prints a line about JAVA_TOOL_OPTIONS.
reads_output(c) if {
	some text in _scripts_of(c)
	regex.match(_catches, regex.replace(text, _errors_unread, "$1"))
}

reads_output(c) if {
	some hook in _hooks(c)
	words := process.strings_of(hook.exec.command)
	not process.only_utilities(words)
}

_hooks(c) := array.concat(
	[hook |
		some name in ["livenessProbe", "readinessProbe", "startupProbe"]
		hook := c.raw[name]
	],
	[hook |
		some name in ["postStart", "preStop"]
		hook := c.raw.lifecycle[name]
	],
)

_catches := concat("", ["\\$\\(|`|[0-9]>&[0-9]|>&\\s*[^0-9\\s-]|&>|(?:^|[^|>])\\|(?:[^|]|$)|", _errors_into_file])

# java tells of the variable where errors go.
_errors_into_file := `2<?>>?\s*[^&>\s]`

# Errors that go to these are in no file that something reads. Those that follow the output are as 2>&1.
_errors_unread := `2>>?\s*/dev/(?:null|stderr|fd/2|tty|pts/[0-9]+)([\s;&|)"']|$)`
