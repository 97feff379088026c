package headroom.runtime.jvm_test

# What is wanted in place of a value, of the first refusal.
wants(list) := under_java(list).startup[0].wants

test_values_that_are_taken if {
	size := "a whole number and k, m or g behind it"
	every flags, wanted in {
		"-Xmx512": sprintf("-Xmx with %s", [size]),
		"-Xmx1.5g": sprintf("-Xmx with %s", [size]),
		"-mx512": sprintf("-mx with %s", [size]),
		"-Xmx1Gi": "-Xmx1g",
		"-Xss16": sprintf("-Xss with %s", [size]),
		"-XX:MaxMetaspaceSize=1": sprintf("-XX:MaxMetaspaceSize with %s", [size]),
		"-XX:MaxRAMPercentage=800": "-XX:MaxRAMPercentage with a number from 0 to 100 and a decimal point",
		"-XX:EscapeAnalysisTimeout=a": "-XX:EscapeAnalysisTimeout with a number of at least 0 and a decimal point",
		"-XX:NewRatio=": "-XX:NewRatio with a whole number of at least 1",
		"-XX:MaxTenuringThreshold=99": "-XX:MaxTenuringThreshold with a whole number from 0 to 15",
		"-XX:VMThreadStackSize=1.5": "-XX:VMThreadStackSize with a whole number of at least 64",
		"-XX:G1MixedGCCountTarget=a": "-XX:G1MixedGCCountTarget with a whole number",
		"-XX:UseG1GC": "-XX:+UseG1GC or -XX:-UseG1GC",
		"-XX:+UseG1GC=1": "-XX:+UseG1GC or -XX:-UseG1GC",
		"-XX:HeapDumpPath": "-XX:HeapDumpPath= and its value",
		"-XX:G1NewSizePercent=20": "-XX:+UnlockExperimentalVMOptions in front of it",
		"-XX:+UseTheForce": "",
	} {
		wants([flags]) == wanted
	}
}

# What stands around a value is at fault, not the value.
test_values_that_are_not_at_fault if {
	wants(["-XX:MaxHeapSize=1g -Xss1m"]) == ""
	wants(["-Xmx${HEAP}"]) == ""
}
