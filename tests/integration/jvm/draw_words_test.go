//go:build integration

package jvm_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// wordLine is a word of the table that `make flags` writes beside that of the flags.
var wordLine = regexp.MustCompile(`(?m)^\t"(-[^"]+)": \["[pu-]+", "[pu-]+"\],$`)

// notDrawnWords ask for a file of the image, print without end, or end the JVM.
var notDrawnWords = regexp.MustCompile(`^-(?:Xbootclasspath|verbose|XXaltjvm|version:|Xcomp$|Xinternalversion|Xrunhprof|agentlib:hprof|prof|Xprof|Xcheck)`)

// readWords are the words of the table, to be drawn from.
func readWords(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(repo.Path("policies/rego/headroom/runtime/jvm/word_table.rego"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, m := range wordLine.FindAllStringSubmatch(string(text), -1) {
		if !notDrawnWords.MatchString(m[1]) {
			words = append(words, m[1])
		}
	}
	if len(words) < 60 {
		t.Fatalf("%d words read", len(words))
	}
	return words
}

// size is a number with a unit, as people write it, rarely wrong.
func (d *draw) size() string {
	return d.of("64m", "128m", "200M", "256m", "512m", "1g", "300000k", "100000000", "512k", "1m", "", "x", "1Gi", "64mb", "0")
}

// launched are words of the launcher and of the JVM, by themselves and with values.
func (d *draw) launched() []string {
	word := d.of(d.words...)
	if d.chance(35) {
		word = d.of("-mx…", "-ms…", "-ss…")
	}
	words := []string{strings.Replace(word, "…", d.size(), 1)}
	if d.chance(40) {
		words = append(words, d.of("-Xmx200m", "-mx300m", "-Xms64m", "-ms64m", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC", "-ss512k", "-Xss1m"))
	}
	return words
}

// slips are options that a text program, a template or a hurry spoilt.
func (d *draw) slips() []string {
	flags := []string{"-Xmx512m", "-Xms64m", "-XX:+UseSerialGC", "-Xss512k", "-server", "-Dx=y", "-XX:MaxRAMPercentage=50.0"}
	flag := d.of(flags...)
	switch d.IntN(4) {
	case 0:
		flag = d.of("–", "—", "−", "‐", "\u00a0-", "\u200b-", "-\u00a0", "--", "") + flag[1:]
	case 1:
		flag = d.of("-XX:", "-XX:", "-XX:+", "-XX:-") + d.of("HeapDumpPath", "ErrorFile", "OnOutOfMemoryError", "OnError", "LogFile",
			"NativeMemoryTracking", "CompileCommand", "CompileOnly", "FlightRecorderOptions", "MaxHeapSize", "MaxRAMPercentage", "ParallelGCThreads")
	case 2:
		flag = strings.Replace(flag, "-X", d.of("-x", "-X ", "X", "-Xx", "- X"), 1)
	default:
		flag += d.of(",", ";", "\"", "'", " ", ".", "=")
	}
	words := []string{flag}
	if d.chance(60) {
		words = append(words, d.of(flags...))
	}
	if d.chance(15) {
		words = append([]string{"-XX:+IgnoreUnrecognizedVMOptions"}, words...)
	}
	return words
}

// loaded are modules and agents.
func (d *draw) loaded() []string {
	module := d.of("java.xml.bind", "java.se.ee", "java.activation", "java.xml.ws", "java.corba", "java.transaction",
		"java.base", "java.sql", "java.logging", "java.sql,java.xml.bind", "jdk.incubator.concurrent", "ALL-SYSTEM")
	agent := "-agentlib:jdwp="
	if d.chance(25) {
		agent = "-Xrunjdwp:"
	}
	switch d.IntN(5) {
	case 0:
		return []string{"--add-modules=" + module}
	case 1:
		return []string{"--add-modules", module}
	case 2:
		return []string{d.of("-agentlib:hprof", "-Xrunhprof", "-agentlib:hprof=heap=sites", "-Xrunhprof:cpu=times", "-Xnoagent", "-Xdebug")}
	case 3:
		return []string{"--" + d.of("illegal-access=", "finalization=", "sun-misc-unsafe-memory-access=", "illegal-native-access=",
			"illegal-final-field-mutation=", "enable-final-field-mutation=", "enable-native-access=") +
			d.of("permit", "deny", "warn", "allow", "debug", "enabled", "disabled", "ALL-UNNAMED", "x")}
	}
	return []string{agent + d.of("transport=dt_socket,", "transport=dt_socket,", "transport=dt_socket,", "transport=dt_shmem,", "") +
		d.of("server=y,", "server=y,", "server=y,", "server=true,") + d.of("suspend=n", "suspend=n", "suspend=no") +
		d.of("", ",address=0", ",address=*:0", ",address=localhost:0", ",address=0.0.0.0:0")}
}

// extremes are numbers where the widths of numbers end.
func (d *draw) extremes() []string {
	number := d.of("0", "1", "127", "128", "1023", "1024", "32767", "32768", "65535", "65536", "16777216", "16777217", "2147483646", "2147483647", "2147483648",
		"4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "-1", "-2147483648", "1t", "2g", "0.0", "0.1", "99.9", "100.1")
	flag := d.of("StringTableSize", "MaxTenuringThreshold", "ParallelGCThreads", "ConcGCThreads", "MinRAMPercentage", "MaxRAMPercentage", "InitialRAMPercentage",
		"SoftRefLRUPolicyMSPerMB", "MaxGCPauseMillis", "GCTimeRatio", "NewRatio", "SurvivorRatio", "MaxDirectMemorySize", "MaxMetaspaceSize", "MetaspaceSize",
		"ActiveProcessorCount", "TieredStopAtLevel", "CICompilerCount", "AutoBoxCacheMax", "MaxInlineSize", "FreqInlineSize", "CompileThreshold", "LoopUnrollLimit",
		"ThreadStackSize", "VMThreadStackSize", "CompilerThreadStackSize", "G1ReservePercent", "G1ConcRefinementThreads", "GCDrainStackTargetSize",
		"MaxJavaStackTraceDepth", "StackShadowPages", "NUMAInterleaveGranularity", "PretenureSizeThreshold", "MinTLABSize", "TLABSize", "ReservedCodeCacheSize")
	words := []string{"-XX:" + flag + "=" + number}
	if d.chance(20) {
		words = []string{"-Xss" + d.of("1024m", "1025m", "2047m", "2g", "3g", "4g", "5g", "8g", "1T", "16T", "1g")}
	}
	if d.chance(15) {
		words = []string{d.of("-Xminf", "-Xmaxf") + d.of("0.1", "0.3", "0.4", "0.39", "0.5", "0.7", "0.71", "0.9", "1.0", "0", "x")}
	}
	if d.chance(25) {
		words = append(words, d.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"))
	}
	if d.chance(15) {
		words = append([]string{"-XX:+IgnoreUnrecognizedVMOptions"}, words...)
	}
	return words
}
