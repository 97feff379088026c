package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# other_vm says that what a container runs is no HotSpot by its own words (J14): no HotSpot starts with them.
other_vm(c) if {
	some name in ["IBM_JAVA_OPTIONS", "OPENJ9_JAVA_OPTIONS"]
	c.raw.env[_].name == name
}

other_vm(c) if regex.match(_words_of_openj9, _told_by(c))

other_vm(c) if images.native_images[c.id]

_told_by(c) := concat(process.separator, array.concat(
	array.concat([""], images.words(c)),
	[e.value | some e in c.raw.env; e.name in carriers; is_string(e.value)],
))

# https://eclipse.dev/openj9/docs/cmdline_specifying/
_words_of_openj9 := concat("", [
	`(?:^|[\s\x01"'])-(?:X(?:tune:|gcpolicy:|gc:|quickstart\b|scmx[0-9]|softmx[0-9]|mso[0-9]|mc[ao][0-9]|(?:no)?jit\b|`,
	`(?:no)?aot\b|(?:no)?compressedrefs\b|shareclasses\b|dump:|trace:|aggressive\b)|`,
	`XX:[-+]?(?:IdleTuning[A-Z]|PortableSharedCache\b|ShareClasses[A-Z]|SharedCache[A-Z]|UseJITServer\b|JITServer[A-Z]))`,
])
