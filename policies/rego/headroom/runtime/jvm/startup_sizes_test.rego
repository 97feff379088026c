package headroom.runtime.jvm_test

# As measured on JDK 8 to 28, beside what the record has (startup_record_test.rego).
sizes_that_start := [
	{"args": ["-XX:-UseContainerSupport", "-Xmx256m"], "refusing": none},
	{"args": ["-Xss4g"], "refusing": since_11},
	{"args": ["-Xss4194400k"], "refusing": all},
]

test_sizes_that_start if {
	last_part(sizes_that_start, 0)
	differences(part(sizes_that_start, 0)) == []
}

# The bounds of the model. The first look passes over what is within, and -Xss2m makes it go on.
bounds_of_sizes := [
	{"args": ["-XX:ReservedCodeCacheSize=2048m", "-Xss2m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=2147483649"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=3m", "-XX:InitialCodeCacheSize=3m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=8m", "-XX:+SegmentedCodeCache"], "refusing": {8}},
	{"args": ["-XX:ReservedCodeCacheSize=8388607", "-XX:+SegmentedCodeCache"], "refusing": {8, 25, 26, 28}},
	{"args": ["-XX:ReservedCodeCacheSize=2555904", "-XX:+SegmentedCodeCache"], "refusing": {8, 25, 26, 28}},
	{"args": ["-Xss1"], "refusing": all},
	{"args": ["-Xss138240"], "refusing": all},
	{"args": ["-Xss138241"], "refusing": {8}},
	{"args": ["-Xss139264"], "refusing": {8}},
	{"args": ["-Xss232448"], "refusing": {8}},
	{"args": ["-Xss232449", "-Xmx1g"], "refusing": none},
	{"args": ["-Xss233472"], "refusing": none},
	{"args": ["-Xss1073741824"], "refusing": none},
	{"args": ["-Xss1073741825"], "refusing": since_11},
	{"args": ["-Xss2147482624"], "refusing": since_11},
	{"args": ["-Xss2147483648"], "refusing": all},
	{"args": ["-XX:ThreadStackSize=0"], "refusing": none},
]

bounds_of_regions := [
	{"args": ["-XX:MaxMetaspaceSize=0"], "refusing": all},
	{"args": ["-XX:MaxMetaspaceSize=1"], "refusing": all},
	{"args": ["-XX:MaxMetaspaceSize=1048576"], "refusing": {8, 11, 21, 25}},
	{"args": ["-XX:MaxMetaspaceSize=4194303"], "refusing": {8, 11, 21, 25}},
	{"args": ["-XX:MaxMetaspaceSize=4194304"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=8388608"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=8388609"], "refusing": none},
	{"args": ["-XX:MaxMetaspaceSize=10m", "-Xss2m"], "refusing": none},
	{"args": ["-Xmx1048575"], "refusing": all},
	{"args": ["-Xmx1048576"], "refusing": since_11},
	{"args": ["-Xmx2097151"], "refusing": since_11},
	{"args": ["-Xmx2097152"], "refusing": none},
	{"args": ["-XX:MinHeapSize=1g", "-Xmx1g"], "refusing": {8, 11}},
	{"args": ["-XX:MinHeapSize=1073741825", "-Xmx1g"], "refusing": all},
	{"args": ["-Xms1g", "-Xmx1g", "-Xss2m"], "refusing": none},
	{"args": ["-Xms1073741825", "-Xmx1g", "-Xss2m"], "refusing": all},
]

test_bounds_of_sizes_1 if differences(part(bounds_of_sizes, 0)) == []

test_bounds_of_sizes_2 if differences(part(bounds_of_sizes, 1)) == []

test_bounds_of_sizes_3 if differences(part(bounds_of_sizes, 2)) == []

test_bounds_of_sizes_4 if differences(part(bounds_of_sizes, 3)) == []

test_bounds_of_sizes_5 if {
	last_part(bounds_of_sizes, 4)
	differences(part(bounds_of_sizes, 4)) == []
}

test_bounds_of_regions_1 if differences(part(bounds_of_regions, 0)) == []

test_bounds_of_regions_2 if differences(part(bounds_of_regions, 1)) == []

test_bounds_of_regions_3 if differences(part(bounds_of_regions, 2)) == []

test_bounds_of_regions_4 if {
	last_part(bounds_of_regions, 3)
	differences(part(bounds_of_regions, 3)) == []
}
