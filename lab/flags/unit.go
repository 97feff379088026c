package main

import (
	"slices"
	"strings"
)

// letterOf is the type of a flag as the policies know it: how its value is written. The JDK's
// own types change their width from release to release.
func letterOf(kind string) string {
	switch kind {
	case "bool":
		return "b"
	case "double":
		return "d"
	case "int", "intx":
		return "i"
	case "uint", "uintx", "size_t", "uint64_t":
		return "n"
	case "ccstr", "ccstrlist":
		return "s"
	}
	return "u"
}

// units that neither type nor name tells.
var units = map[string]string{
	"CompilerThreadStackSize":             "KiB",
	"G1ConcRSLogCacheSize":                "-", // a logarithm
	"G1SATBBufferSize":                    "-", // entries
	"G1UpdateBufferSize":                  "-",
	"GCHeapFreeLimit":                     "%",
	"GCTimeLimit":                         "%",
	"HeapSizePerGCThread":                 "B",
	"MarkStackSize":                       "-", // entries
	"MaxDirectMemorySize":                 "B",
	"MaxHeapFreeRatio":                    "%",
	"MaxMetaspaceExpansion":               "B",
	"MaxMetaspaceFreeRatio":               "%",
	"MaxRAM":                              "B",
	"MinHeapFreeRatio":                    "%",
	"MinMetaspaceExpansion":               "B",
	"MinMetaspaceFreeRatio":               "%",
	"NUMAInterleaveGranularity":           "B",
	"OldPLABSize":                         "-", // words
	"PerfDataMemorySize":                  "B",
	"PretenureSizeThreshold":              "B",
	"ShenandoahSATBBufferSize":            "-", // entries
	"SoftRefLRUPolicyMSPerMB":             "ms",
	"StringDeduplicationInitialTableSize": "-",
	"ThreadStackSize":                     "KiB",
	"VMThreadStackSize":                   "KiB",
	"YoungPLABSize":                       "-", // words
}

var suffixes = []struct{ end, unit string }{
	{"Percentage", "%"},
	{"Percent", "%"},
	{"Millis", "ms"},
	{"Ms", "ms"},
	{"Seconds", "s"},
}

// unitOf is what a flag counts: bytes are of type size_t where a release has that type.
func unitOf(name, letter string, kinds []string) string {
	if letter != "n" && letter != "i" && letter != "d" {
		return "-"
	}
	if unit, ok := units[name]; ok {
		return unit
	}
	for _, s := range suffixes {
		if strings.HasSuffix(name, s.end) {
			return s.unit
		}
	}
	sized := strings.HasSuffix(name, "Size") || strings.HasSuffix(name, "Bytes") || strings.HasSuffix(name, "Limit")
	if sized && slices.Contains(kinds, "size_t") {
		return "B"
	}
	return "-"
}
