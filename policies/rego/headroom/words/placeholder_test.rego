package headroom.words_test

import data.headroom.words

test_placeholders if {
	every text in [
		"${CPU}", "${CPU:=2}", "${A:-${B}}", "$CPU", "$(trino_cpu)", "{{ cpu }}", "${MEM}Mi", "<path:secret/x#y>", "<cpu>",
		"#{cpu}", "@cpu.limit@", "%CPU%", "__CPU__",
	] {
		words.placeholder(text)
	}
	every text in ["$", "$5", "<", "{1}", "1%", "@", "_2_", "512m", "", 5, null] {
		not words.placeholder(text)
	}
}
