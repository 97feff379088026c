package explain

import "testing"

// Several changes at once are all made, wherever their flags stand.
func TestSeveralChanges(t *testing.T) {
	const flags = "-Xmx3g -Xss1m -XX:+UseG1GC"
	const key = "env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {configMapKeyRef: {name: jvm, key: flags}}}]"
	const data = "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: jvm, namespace: shop}\ndata: {"
	for _, source := range []struct{ name, manifest string }{
		{"a variable", jvm(limits, "env: [{name: JAVA_TOOL_OPTIONS, value: "+flags+"}]")},
		{"a key of a ConfigMap", jvm(limits, key) + data + "flags: " + flags + "}\n"},
		{"a ConfigMap", jvm(limits, "envFrom: [{configMapRef: {name: jvm}}]") + data + "JAVA_TOOL_OPTIONS: " + flags + "}\n"},
	} {
		for change, value := range map[string]string{
			"heap=1g,stack=2m":                              "-Xmx1g -Xss2m -XX:+UseG1GC",
			"direct=64m,heap=1g":                            "-Xmx1g -Xss1m -XX:+UseG1GC -XX:MaxDirectMemorySize=64m",
			"heap=1g,direct=64m":                            "-Xmx1g -Xss1m -XX:+UseG1GC -XX:MaxDirectMemorySize=64m",
			"heap=none,stack=none":                          "-XX:+UseG1GC",
			"-XX:+UseG1GC=none,-XX:+UseSerialGC":            "-Xmx3g -Xss1m -XX:+UseSerialGC",
			"-XX:+UseSerialGC,-XX:+UseG1GC=none,stack=none": "-Xmx3g -XX:+UseSerialGC",
		} {
			_, then, _ := applied(t, source.manifest, change)
			t.Run(source.name+" "+change, func(t *testing.T) {
				says(t, then, `"name":"JAVA_TOOL_OPTIONS","value":"`+value+`"`)
			})
		}
	}
}
