package headroom.runtime.jvm_test

# Flags of OpenJ9, which no HotSpot starts with: what is known of HotSpot says nothing there.
test_words_of_openj9 if {
	every flag in [
		"-Xtune:virtualized", "-Xgcpolicy:gencon", "-Xquickstart", "-Xscmx64m", "-Xshareclasses:none", "-Xsoftmx200m",
		"-Xmso1m", "-Xmca32k", "-Xjit:count=0", "-Xnoaot", "-Xdump:none", "-Xaggressive", "-Xcompressedrefs",
		"-XX:+IdleTuningGcOnIdle", "-XX:+PortableSharedCache", "-XX:SharedCacheHardLimit=200m", "-XX:+UseJITServer",
	] {
		models({"command": ["java", "-Xmx1g", flag, "-jar", "/app.jar"]}, {}) == []
		models({"command": ["sh", "-c", sprintf("exec java %s -jar app.jar", [flag])]}, {}) == []
		models({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": sprintf("-Xmx1g %s", [flag])}]}, {}) == []
	}
	models({"command": ["java", "Main"], "env": [{"name": "OPENJ9_JAVA_OPTIONS", "value": "-Xmx1g"}]}, {}) == []
	models({"command": ["java", "Main"], "env": [{"name": "IBM_JAVA_OPTIONS", "value": "-Xmx1g"}]}, {}) == []
}

test_words_of_hotspot_stay if {
	every flag in [
		"-Xmx1g", "-Xmixed", "-Dx=-Xtune:virtualized", "-Xss1m", "-XX:+UseSharedSpaces", "-Xms1g", "-Xshare:auto",
		"-Xdebug", "-Xcomp", "-XX:SharedArchiveFile=/a.jsa",
	] {
		count(models({"command": ["java", flag, "-jar", "/app.jar"]}, {})) == 1
	}
	count(models({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": 5}], "command": ["java", "-Xmx1g", "Main"]}, {})) == 1
}

# Where it is said, or known, that HotSpot runs, it does not start with them.
test_openj9_on_hotspot if {
	command := ["java", "-Xtune:virtualized", "-jar", "/app.jar"]
	[said] := models({"command": command}, {"runtime.headroom.dev/app": "jvm"})
	[entry] := said.startup
	entry.all
	[known] := models({"image": "eclipse-temurin:21", "command": command}, {})
	[refusal] := known.startup
	refusal.all
}

test_a_native_image_is_no_jvm if {
	args := ["-Xmx64m", "-XX:MaximumHeapSizePercent=80"]
	models({"args": args}, {}) == []
	models({"command": ["./application"], "args": args}, {}) == []
	models({"args": ["-Xmx64m", "-XX:MaximumYoungGenerationSizePercent=10"]}, {}) == []
	count(models({"args": ["-Xmx64m"]}, {})) == 1
	[j] := models({"command": ["java"], "args": array.concat(args, ["-jar", "/app.jar"])}, {})
	[entry] := j.startup
	entry.flags == ["-XX:MaximumHeapSizePercent=80"]
}

# A GraalVM unlocks the flags of its compiler, and has more of them than OpenJDK.
test_flags_of_graal if {
	every flag in ["-XX:+UseJVMCICompiler", "-XX:-UseJVMCICompiler", "-XX:+EnableJVMCI", "-XX:+UseGraalJIT"] {
		under_java([flag]).startup == []
	}
	count(under_java(["-XX:+UseJVMCICompiler=1"]).startup) > 0
}
