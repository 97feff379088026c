//go:build integration

package jvm_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// A draw makes flag sets, always the same ones from one seed.
type draw struct {
	*rand.Rand
	table []tableRow
	words []string
}

func newDraw(t *testing.T, seed uint64) *draw {
	t.Helper()
	text, err := os.ReadFile(repo.Path("policies/rego/headroom/runtime/jvm/flag_table.rego"))
	if err != nil {
		t.Fatal(err)
	}
	d := &draw{Rand: rand.New(rand.NewPCG(seed, 0)), words: readWords(t)}
	for _, f := range tableLine.FindAllStringSubmatch(string(text), -1) {
		if !notDrawn.MatchString(f[1]) {
			d.table = append(d.table, tableRow{f[1], f[2], strings.ToLower(f[3]), f[4]})
		}
	}
	if len(d.table) < 1000 {
		t.Fatalf("%d flags read", len(d.table))
	}
	return d
}

func (d *draw) of(all ...string) string { return all[d.IntN(len(all))] }

func (d *draw) chance(percent int) bool { return d.IntN(100) < percent }

func (d *draw) number(least, most int) string { return strconv.Itoa(least + d.IntN(most-least+1)) }

func (d *draw) sets(count int) []flagSet {
	all := make([]flagSet, 0, count)
	for i := range count {
		all = append(all, d.set(i))
	}
	return all
}

// set is the flag set of that number.
func (d *draw) set(i int) flagSet {
	kinds := []struct {
		share int
		make  func() []string
	}{
		{30, d.written},
		{24, d.fromTable},
		{22, d.related},
		{10, d.threads},
		{6, d.enumerated},
		{10, d.options},
		{8, d.sizes},
		{12, d.launched},
		{8, d.slips},
		{6, d.loaded},
		{12, d.extremes},
	}
	total := 0
	for _, k := range kinds {
		total += k.share
	}
	at, words := d.IntN(total), []string(nil)
	for _, k := range kinds {
		if at -= k.share; at < 0 {
			words = k.make()
			break
		}
	}
	set := flagSet{
		Name: fmt.Sprintf("drawn-%d", i), Env: map[string]string{},
		Memory: resource.MustParse(d.of("512Mi", "1Gi", "2Gi", "4Gi")), CPU: resource.MustParse(d.of("500m", "1", "2", "2", "3")),
	}
	d.place(&set, words)
	return set
}

// place puts the words into one source or several.
func (d *draw) place(set *flagSet, words []string) {
	if !d.chance(40) || slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, " \"'") }) {
		set.Args = words
		return
	}
	add := func(name, word string) { set.Env[name] = strings.TrimSpace(set.Env[name] + " " + word) }
	sources := []string{"JAVA_TOOL_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "args", "args"}
	source := d.of(sources...)
	for _, word := range words {
		if d.chance(30) {
			source = d.of(sources...)
		}
		if source == "args" {
			set.Args = append(set.Args, word)
		} else {
			add(source, word)
		}
	}
}

// some takes that many of the groups, in their order, and of each one of its lines.
func (d *draw) some(least, most int, groups [][]string) []string {
	count := least + d.IntN(most-least+1)
	chosen := d.Perm(len(groups))[:min(count, len(groups))]
	slices.Sort(chosen)
	var words []string
	for _, i := range chosen {
		words = append(words, strings.Fields(d.of(groups[i]...))...)
	}
	return words
}

// written are flags as people write them.
func (d *draw) written() []string {
	return d.some(2, 6, [][]string{
		{"-server", "-ea", "-Xrs", "-verbose:gc", "-Xshare:auto", "-Xverify:none", "-Xnoclassgc", "-Xbatch", "-XX:+AggressiveOpts"},
		{
			"-Xmx512m", "-Xms256m -Xmx512m", "-Xms512M -Xmx512M", "-Xmx384m -Xmn128m", "-Xms128m", "-Xmx1g", "-Xmx1G -Xms512m",
			"-XX:MaxHeapSize=300m", "-XX:InitialHeapSize=128m -XX:MaxHeapSize=512m", "-Xmx777m", "-Xmx1000000k", "-Xms64m -Xmx250m",
			"-XX:MaxRAMPercentage=75.0", "-XX:MaxRAMPercentage=75", "-XX:MaxRAMPercentage=60.5 -XX:InitialRAMPercentage=20.0",
			"-XX:MinRAMPercentage=50.0 -XX:MaxRAMPercentage=80.0", "-XX:MaxRAMFraction=2", "-XX:MaxRAMPercentage=33",
			"-XX:+AggressiveHeap", "-XX:InitialRAMPercentage=40.0", "-XX:InitialRAMPercentage=70 -XX:MaxRAMPercentage=70",
		},
		{
			"-XX:+UseG1GC", "-XX:+UseG1GC -XX:MaxGCPauseMillis=" + d.number(20, 500), "-XX:+UseParallelGC", "-XX:+UseSerialGC", "-XX:+UseZGC",
			"-XX:+UseZGC -XX:+ZGenerational", "-XX:+UnlockExperimentalVMOptions -XX:+UseZGC", "-XX:+UseShenandoahGC",
			"-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC", "-XX:+UseConcMarkSweepGC", "-XX:+UseParallelOldGC",
			"-XX:+UseConcMarkSweepGC -XX:+UseParNewGC -XX:+CMSParallelRemarkEnabled", "-XX:+UseG1GC -XX:G1HeapRegionSize=" + d.of("1m", "2m", "4m", "8m", "16M", "32m"),
			"-XX:+UseConcMarkSweepGC -XX:CMSInitiatingOccupancyFraction=75 -XX:+UseCMSInitiatingOccupancyOnly", "-XX:+UseParNewGC",
			"-XX:+UseG1GC -XX:InitiatingHeapOccupancyPercent=" + d.number(20, 80), "-XX:+UseG1GC -XX:+UseStringDeduplication",
			"-XX:+UnlockExperimentalVMOptions -XX:+UseG1GC -XX:G1NewSizePercent=20 -XX:G1MaxNewSizePercent=40",
			"-XX:+UseG1GC -XX:G1NewSizePercent=20", "-XX:+UseG1GC -XX:G1ReservePercent=" + d.number(5, 30),
			"-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC", "-XX:+UseAdaptiveSizePolicy", "-XX:+UseParallelGC -XX:GCTimeRatio=" + d.number(1, 99),
		},
		{
			"-XX:ParallelGCThreads=2 -XX:ConcGCThreads=1", "-XX:ParallelGCThreads=" + d.number(1, 8), "-XX:ConcGCThreads=1",
			"-XX:ActiveProcessorCount=" + d.number(1, 8), "-XX:CICompilerCount=" + d.number(2, 4),
		},
		{
			"-XX:NewRatio=" + d.number(1, 4), "-XX:SurvivorRatio=" + d.number(2, 12), "-XX:MaxTenuringThreshold=" + d.number(0, 16),
			"-XX:NewSize=64m -XX:MaxNewSize=128m", "-Xmn" + d.of("64m", "100M", "1g"), "-XX:TargetSurvivorRatio=" + d.number(30, 90),
			"-XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40", "-XX:MaxHeapFreeRatio=" + d.of("30", "50", "75"), "-XX:MinHeapFreeRatio=" + d.of("10", "20", "40"),
		},
		{
			"-XX:MaxMetaspaceSize=" + d.of("64m", "128m", "256M"), "-XX:MetaspaceSize=96m -XX:MaxMetaspaceSize=256m", "-XX:MaxPermSize=256m",
			"-XX:PermSize=64m -XX:MaxPermSize=128m", "-XX:MetaspaceSize=100M", "-XX:CompressedClassSpaceSize=" + d.of("32m", "64m", "128m"),
		},
		{
			"-Xss" + d.of("256k", "512k", "1m", "2M", "228k", "300k"), "-XX:ThreadStackSize=512", "-XX:MaxDirectMemorySize=" + d.of("64m", "1g"),
			"-XX:ReservedCodeCacheSize=" + d.of("64m", "128m", "240M", "256m"), "-XX:ReservedCodeCacheSize=64m -XX:InitialCodeCacheSize=32m",
		},
		{
			"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:+TieredCompilation", "-Xint", "-XX:-UseCompressedOops", "-XX:+OptimizeStringConcat",
			"-XX:+UseCompressedOops", "-XX:+UseFastAccessorMethods", "-XX:-UseBiasedLocking", "-XX:+UseBiasedLocking", "-XX:+DoEscapeAnalysis",
			"-XX:CompilationMode=" + d.of("quick-only", "high-only", "default"), "-XX:+UseCompactObjectHeaders", "-XX:+UseNUMA", "-XX:-UsePerfData",
		},
		{
			"-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/tmp", "-XX:+ExitOnOutOfMemoryError", "-XX:+CrashOnOutOfMemoryError",
			"-XX:OnOutOfMemoryError=true", "-XX:ErrorFile=/tmp/hs_err.log", "-XX:NativeMemoryTracking=summary", "-XX:+DisableExplicitGC",
			"-XX:+ExplicitGCInvokesConcurrent", "-XX:+ParallelRefProcEnabled", "-XX:+AlwaysPreTouch -Xmx128m", "-XX:+PerfDisableSharedMem",
			"-XX:-OmitStackTraceInFastThrow", "-XX:SoftRefLRUPolicyMSPerMB=" + d.number(0, 2000), "-XX:AutoBoxCacheMax=20000",
		},
		{
			"-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps -XX:+PrintGCDetails", "-Xlog:gc*", "-Xlog:gc:stdout", "-Xlog:safepoint=info",
			"-Xlog:gc*=info,safepoint:stdout:time,level,tags", "-Xloggc:gc.log", "-XX:+PrintCommandLineFlags", "-Xlog:disable", "-Xlog:all=warning:stderr",
		},
		{
			"-Dfile.encoding=UTF-8", "-Djava.security.egd=file:/dev/./urandom", "-Djava.awt.headless=true -Duser.timezone=UTC",
			"-Djava.net.preferIPv4Stack=true", "-Djdk.nio.maxCachedBufferSize=262144",
		},
		{
			"--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--enable-preview",
			"--add-modules=jdk.unsupported", "--enable-native-access=ALL-UNNAMED", "--illegal-access=permit", "--add-opens=java.base/java.util=ALL-UNNAMED",
		},
		{
			"-XX:+UseContainerSupport", "-XX:-UseContainerSupport -Xmx256m", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockDiagnosticVMOptions",
			"-XX:+UnlockExperimentalVMOptions -XX:+UseCGroupMemoryLimitForHeap", "-XX:+UnlockExperimentalVMOptions",
		},
	})
}

// related are flags that bound each other.
func (d *draw) related() []string {
	percent := func() string {
		return d.of("0", "1", "5", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100", "101")
	}
	size := func() string {
		return d.of("0", "1m", "4m", "16m", "48m", "64m", "100m", "128m", "256m", "300m", "512m", "1g")
	}
	small := func() string { return d.of("0", "1", "2", "3", "8", "15", "16", "20") }
	lock := "-XX:+UnlockExperimentalVMOptions "
	lines := []string{
		"-XX:MinHeapFreeRatio=" + percent(),
		"-XX:MaxHeapFreeRatio=" + percent(),
		"-XX:MinHeapFreeRatio=" + percent() + " -XX:MaxHeapFreeRatio=" + percent(),
		"-XX:MinMetaspaceFreeRatio=" + percent(),
		"-XX:MaxMetaspaceFreeRatio=" + percent(),
		"-XX:MinMetaspaceFreeRatio=" + percent() + " -XX:MaxMetaspaceFreeRatio=" + percent(),
		"-XX:SoftMaxHeapSize=" + size() + " -Xmx" + d.of("128m", "256m", "512m"),
		"-XX:SoftMaxHeapSize=" + size(),
		"-XX:MinHeapSize=" + size() + " -Xms" + size(),
		"-XX:MinHeapSize=" + size() + " -Xmx" + d.of("128m", "256m"),
		"-XX:MinHeapSize=" + size() + " -XX:InitialHeapSize=" + size() + " -Xmx256m",
		"-Xms" + size() + " -Xmx" + size(),
		"-Xmn" + d.of("0", "1", "1k", "64k", "1m", "2m", "16m", "10g", "x", "") + " -Xmx128m",
		"-XX:NewSize=" + size() + " -XX:MaxNewSize=" + size() + " -Xmx" + d.of("128m", "256m"),
		"-XX:MaxNewSize=" + size(),
		"-XX:NewSize=" + size(),
		"-XX:OldSize=" + size(),
		"-XX:+UseG1GC -XX:GCPauseIntervalMillis=" + d.of("0", "1", "100", "200", "201", "500"),
		"-XX:+UseG1GC -XX:GCPauseIntervalMillis=" + d.of("100", "200", "201", "500") + " -XX:MaxGCPauseMillis=" + d.of("0", "1", "100", "200", "500"),
		"-XX:MaxGCPauseMillis=" + d.of("0", "1", "200", "-1"),
		"-XX:GCPauseIntervalMillis=" + d.of("1", "200", "500"),
		lock + "-XX:+UseG1GC -XX:G1NewSizePercent=" + percent() + " -XX:G1MaxNewSizePercent=" + percent(),
		lock + "-XX:G1NewSizePercent=" + percent(),
		lock + "-XX:+UseG1GC -XX:G1MaxNewSizePercent=" + percent(),
		"-XX:MetaspaceSize=" + size() + " -XX:MaxMetaspaceSize=" + d.of("12m", "20m", "64m", "256m"),
		"-XX:InitialBootClassLoaderMetaspaceSize=" + size() + " -XX:MaxMetaspaceSize=" + d.of("64m", "256m"),
		"-XX:CompressedClassSpaceSize=" + d.of("0", "1023k", "1m", "3m", "16m", "3g", "3073m", "4g", "5g") + d.of("", " -XX:MaxMetaspaceSize=64m"),
		"-XX:ReservedCodeCacheSize=" + d.of("2m", "4m", "7m", "8m", "20m", "47m", "48m", "64m", "240m", "2g", "2049m", "3g") + " " +
			d.of("", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=1", "-Xint", "-XX:+SegmentedCodeCache", "-XX:-SegmentedCodeCache"),
		"-XX:InitialCodeCacheSize=" + d.of("0", "1", "4k", "100k", "2496k", "16m", "47m", "48m", "49m", "64m", "240m", "241m", "300m") + " " +
			d.of("", "-XX:ReservedCodeCacheSize=64m", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=1"),
		"-XX:NonNMethodCodeHeapSize=" + d.of("1m", "3m", "5m", "8m") + " -XX:ProfiledCodeHeapSize=" + d.of("10m", "20m", "120m") +
			" -XX:NonProfiledCodeHeapSize=" + d.of("10m", "20m", "37m", "120m") + " -XX:ReservedCodeCacheSize=" + d.of("25m", "45m", "48m", "64m", "240m", "245m"),
		"-XX:NonNMethodCodeHeapSize=" + d.of("0", "1m", "5m", "8m", "300m") + d.of("", " -XX:ReservedCodeCacheSize=64m", " -XX:ReservedCodeCacheSize=300m"),
		"-XX:ProfiledCodeHeapSize=" + d.of("0", "1m", "50m", "300m") + d.of("", " -XX:ReservedCodeCacheSize=64m", " -XX:TieredStopAtLevel=1", " -XX:-TieredCompilation"),
		"-XX:NonProfiledCodeHeapSize=" + d.of("0", "1m", "50m", "300m") + d.of("", " -XX:ReservedCodeCacheSize=64m", " -XX:TieredStopAtLevel=1"),
		"-XX:ProfiledCodeHeapSize=30m -XX:NonProfiledCodeHeapSize=" + d.of("10m", "30m", "100m", "200m", "300m"),
		"-XX:ObjectAlignmentInBytes=" + d.of("0", "4", "8", "12", "16", "24", "32", "64", "128", "256", "512"),
		"-XX:MaxTenuringThreshold=" + small() + " -XX:InitialTenuringThreshold=" + small() + " " + d.of("", "-XX:+UseParallelGC", "-XX:+UseG1GC"),
		"-XX:MaxTenuringThreshold=" + small() + d.of("", " -XX:+AlwaysTenure", " -XX:+NeverTenure", " -XX:+UseSerialGC"),
		"-XX:InitialTenuringThreshold=" + small() + d.of("", " -XX:+UseParallelGC"),
		"-XX:SurvivorRatio=" + d.of("0", "1", "2", "8", "100", "1000", "100000") + d.of("", " -XX:+UseParallelGC -Xmx64m"),
		"-XX:NewRatio=" + d.of("0", "1", "2", "100", "1000", "-1"),
		"-XX:TargetSurvivorRatio=" + percent(),
		"-XX:MinSurvivorRatio=" + small() + d.of("", " -XX:+UseParallelGC") + " -XX:InitialSurvivorRatio=" + small(),
		"-XX:TLABSize=" + d.of("0", "1", "1k", "2k", "64k", "1m", "1g") + d.of("", " -XX:MinTLABSize="+d.of("1k", "2k", "64k", "1m")),
		"-XX:MarkStackSize=" + d.of("0", "1", "4m", "600m") + d.of("", " -XX:MarkStackSizeMax="+d.of("0", "1", "4m", "512m")),
		"-XX:G1HeapRegionSize=" + d.of("0", "1", "512k", "1m", "3m", "32m", "33m", "64m", "512m", "513m", "1g") + d.of("", " -XX:+UseG1GC"),
		"-XX:MaxRAMPercentage=" + d.of("1e2", "+50.0", "050.0", "100", "100.0", "101", "101.0", "1e1", "5.", ".5", "0", "0.0", "-1.0", "75%", "75,0",
			"NaN", "inf", "0x10", "5e-1", "5.0e1", "50.0f", "1e3", "7e1", "00", "50d", "+50", "1E1", "12.3456789012345", "-0.0", "-0", "1_0"),
		"-XX:" + d.of("Min", "Initial", "Max") + "RAMPercentage=" + d.of("0", "100.0", "100.1", "30", "30.0", "-5.0", "1000.0"),
		"-XX:" + d.of("Min", "Initial", "Max") + "RAMFraction=" + d.of("0", "1", "2", "4", "64", "-1"),
		"-XX:MaxRAM=" + d.of("0", "1", "64m", "512m", "3g", "100g"),
		"-XX:ErgoHeapSizeLimit=" + d.of("0", "64m", "200m", "1g", "10g"),
		"-XX:InitiatingHeapOccupancyPercent=" + percent(),
		"-XX:G1ReservePercent=" + percent(),
		"-XX:ActiveProcessorCount=" + d.of("-1", "0", "1", "3", "6", "17", "64", "200"),
		"-XX:TieredStopAtLevel=" + d.of("-1", "0", "1", "2", "3", "4", "5") + d.of("", " -XX:CICompilerCount="+d.of("0", "1", "2", "3")),
		"-XX:CICompilerCount=" + d.of("0", "1", "2", "4") + " " + d.of("-XX:-TieredCompilation", "-XX:TieredStopAtLevel=0", "-XX:TieredStopAtLevel=1",
			"-XX:TieredStopAtLevel=3", "-Xint", "-XX:CompilationMode=quick-only", "-XX:CompilationMode=high-only", "-XX:CompilationMode=high-only-quick-internal"),
		"-XX:NativeMemoryTracking=" + d.of("on", "off", "summary", "detail", "", "Summary"),
		"-XX:MaxDirectMemorySize=" + d.of("0", "1", "64m", "1g", "-1", "9g", "8589934592g", "1.5g"),
		"-XX:LargePageSizeInBytes=" + d.of("0", "1", "2m", "3m") + d.of("", " -XX:+UseLargePages"),
		"-XX:GCTimeRatio=" + d.of("0", "1", "99", "100", "4294967295", "4294967296"),
		"-XX:GCTimeLimit=" + percent(),
		"-XX:GCHeapFreeLimit=" + percent(),
		"-XX:StringTableSize=" + d.of("0", "1", "127", "128", "1008", "1009", "60013", "16777216", "16777217"),
		"-XX:SoftRefLRUPolicyMSPerMB=" + d.of("0", "1000", "-1", "9223372036854775807"),
		"-XX:ContendedPaddingWidth=" + d.of("0", "4", "8", "128", "8192", "8193"),
		"-XX:AutoBoxCacheMax=" + d.of("0", "127", "128", "20000", "-1"),
		"-XX:CompileThreshold=" + d.of("0", "1", "1500", "-1", "2147483648") + d.of("", " -XX:-TieredCompilation"),
		"-XX:CMSInitiatingOccupancyFraction=" + percent() + d.of("", " -XX:+UseConcMarkSweepGC"),
		"-XX:MaxInlineLevel=" + d.of("-1", "0", "9", "15", "1000000"),
		"-XX:MaxJavaStackTraceDepth=" + d.of("-1", "0", "1024", "1073741823", "1073741824"),
		"-XX:+UseShenandoahGC -XX:" + d.of("ConcGCThreads=0", "ParallelGCThreads=0", "ParallelGCThreads=1", "ConcGCThreads=3", "SoftMaxHeapSize=64m"),
		"-XX:+UseZGC -XX:" + d.of("ConcGCThreads=0", "ParallelGCThreads=0", "SoftMaxHeapSize=64m -Xmx32m", "SoftMaxHeapSize=64m -Xmx256m", "ZCollectionInterval=5"),
		"-XX:+AggressiveHeap " + d.of("", "-Xmx200m", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-Xms64m"),
		"-XX:ParallelGCBufferWastePct=" + percent(),
		"-XX:YoungPLABSize=" + d.of("0", "1", "256", "4096", "1m") + d.of("", " -XX:+UseParallelGC", " -XX:+UseG1GC"),
		"-XX:HeapSizePerGCThread=" + d.of("0", "4095", "4096", "1m"),
		"-Xss" + d.of("0", "1", "100k", "135k", "136k", "139263", "139264", "140k", "180k", "227k", "228k", "233471", "233472", "1g", "1025m", "2g", "1048577k"),
		"-XX:ThreadStackSize=" + d.of("0", "1", "100", "135", "136", "140", "227", "228", "1024", "-1", "1048576", "1048577"),
		"-XX:CompilerThreadStackSize=" + d.of("0", "1", "64", "100", "512", "1048577"),
		"-XX:VMThreadStackSize=" + d.of("0", "1", "64", "100", "512", "1048577"),
		"-XX:MaxMetaspaceSize=" + d.of("0", "1", "512k", "1m", "2m", "3m", "5m", "7m", "9m", "10m", "11m", "16m", "20m"),
		"-Xmx" + d.of("0", "1", "1m", "2m", "3m", "4m", "5m", "6m", "8m", "2097151", "2097152", "7777777", "100000001", "10T", "1p", "-1", "=1g", "1mb"),
		"-Xms" + d.of("0", "1", "512k", "1m", "3m", "200m", "8g", "1Gi", "x"),
	}
	words := strings.Fields(d.of(lines...))
	if d.chance(30) {
		words = append(words, strings.Fields(d.of(lines...))...)
	}
	return words
}

// threads are collectors and numbers of threads.
func (d *draw) threads() []string {
	count := func() string { return d.of("0", "1", "1", "2", "2", "3", "4", "5", "8", "16") }
	on := func() string { return d.of("+", "+", "+", "-") }
	words := d.some(1, 4, [][]string{
		{"-XX:ActiveProcessorCount=" + d.of("1", "2", "3", "4", "5", "8", "16", "32")},
		{"-XX:ParallelGCThreads=" + count()},
		{"-XX:ConcGCThreads=" + count()},
		{"-XX:CICompilerCount=" + count()},
		{
			"-XX:" + on() + "UseG1GC", "-XX:" + on() + "UseParallelGC", "-XX:" + on() + "UseSerialGC", "-XX:" + on() + "UseZGC",
			"-XX:" + on() + "UseShenandoahGC", "-XX:" + on() + "UseConcMarkSweepGC", "-XX:" + on() + "UseParNewGC", "-XX:" + on() + "UseParallelOldGC",
			"-XX:+UnlockExperimentalVMOptions -XX:+UseZGC", "-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC",
		},
		{"-XX:TieredStopAtLevel=" + d.number(0, 4), "-XX:-TieredCompilation", "-Xint", "-XX:CompilationMode=" + d.of("quick-only", "high-only")},
		{"-Xmx" + d.of("100m", "300m", "513m", "900m", "1g", "3g")},
		{"-XX:G1ConcRefinementThreads=" + count(), "-XX:+UseDynamicNumberOfGCThreads", "-XX:-UseDynamicNumberOfGCThreads"},
	})
	if d.chance(20) {
		words = append(words, "-XX:"+on()+d.of("UseG1GC", "UseParallelGC", "UseSerialGC", "UseZGC", "UseConcMarkSweepGC", "UseParNewGC"))
	}
	return words
}

// enumerated are flags that take one of a few words.
func (d *draw) enumerated() []string {
	locks := "-XX:+UnlockExperimentalVMOptions -XX:+UnlockDiagnosticVMOptions "
	return strings.Fields(locks + d.of(
		"-XX:+UseShenandoahGC -XX:ShenandoahGCMode="+d.of("satb", "iu", "passive", "generational", "normal", "SATB", "x"),
		"-XX:+UseShenandoahGC -XX:ShenandoahGCHeuristics="+d.of("adaptive", "static", "compact", "aggressive", "passive", "x", "Adaptive"),
		"-XX:ShenandoahGCHeuristics="+d.of("adaptive", "x"),
		"-XX:ShenandoahGCMode="+d.of("satb", "x"),
		"-XX:NativeMemoryTracking="+d.of("on", "off", "summary", "detail", "true"),
		"-XX:CompilationMode="+d.of("default", "quick-only", "high-only", "high-only-quick-internal", "quick", "Default", ""),
		"-XX:ArchiveRelocationMode="+d.number(-1, 3),
		"-XX:UseSSE="+d.number(0, 5),
		"-XX:LockingMode="+d.number(-1, 3),
		"-XX:TypeProfileLevel="+d.of("0", "1", "10", "111", "222", "223", "333"),
		"-XX:AllocatePrefetchStyle="+d.number(-1, 4),
		"-XX:ShenandoahGuaranteedGCInterval="+d.of("0", "-1", "1000"),
		"-XX:"+d.of("+", "-")+d.of("UseCompactObjectHeaders", "UseCompressedClassPointers", "UseCompressedOops", "ZGenerational", "UseJVMCICompiler", "EnableJVMCI"),
	))
}

// options are those that do not begin with -XX:.
func (d *draw) options() []string {
	words := strings.Fields(d.of(
		"-Xlog", "-Xlog:", "-Xlog::", "-Xlog:async", "-Xlog:async:drop", "-Xlog:async:stall", "-Xlog:gc=verbose", "-Xlog:gc=debug", "-Xlog:gc*=info", "-Xlog:gc+heap=trace",
		"-Xlog:gc:file=gc.log", "-Xlog:gc:file=gc.log::filesize=10MB", "-Xlog:gc:file=gc.log::filesize=10M,filecount=5", "-Xlog:gc:file=gc.log:time:filecount=x",
		"-Xlog:gc:file=gc.log:time,level,tags:filecount=3,filesize=1m", "-Xlog:gc:file=gc.log:nonsense", "-Xlog:gc:stdout:uptime,tid", "-Xlog:gc:stdout:none", "-Xlog:gc::",
		"-Xlog:gc:stderr:t", "-Xlog:gc:gc.log", "-Xlog:nonsense", "-Xlog:gc*:stdout:time:filecount=1", "-Xlog:gc,heap*=debug", "-Xlog:gc*,gc+age=trace,safepoint:file=gc.log:utctime,pid,tags:filecount=32,filesize=64m",
		"-Xlog:all", "-Xlog:all=off", "-Xlog:disable", "-Xlog:off", "-Xlog:gc+nonsense", "-Xlog:heap", "-Xlog:GC", "-Xlog:gc=INFO", "-Xlog:gc=", "-Xlog:=info", "-Xlog:info", "-Xlog:warning", "-Xlog:gc:file=gc.log::filecount=1001",
		"-Xlog:gc:file=gc.log::filecount=1000", "-Xlog:gc:file=gc.log::filesize=0", "-Xlog:gc:file=gc.log::filesize=1.5m", "-Xlog:gc:file=gc.log::foldmultilines=true", "-Xlog:gc:stdout::foldmultilines=true",
		"-Xloggc:gc.log", "-Xloggc:", "-Xloggc", "-Xlog-gc", "-Xlog:safepoint*", "-Xlog:os+container=trace", "-Xlog:class+load", "-Xlog:gc*:file=gc-%p-%t.log",
		"-Xverify:bogus", "-Xverify:all", "-Xverify:remote", "-Xverify:none", "-Xverify", "--finalization=enabled", "--finalization=disabled", "--finalization=x", "--finalization", "-Xfuture",
		"-Xshare:off", "-Xshare:auto", "-Xshare:x", "-Xshare", "-Xint", "-Xcomp", "-Xmixed", "-Xbatch", "-Xrs", "-Xnoclassgc", "-Xincgc", "-Xconcgc", "-Xprof", "-Xdebug", "-Xnoagent", "-Xcheck:jni", "-Xcheck:x",
		"-Xminf0.3", "-Xmaxf0.6", "-Xminf1.5", "-Xmaxf0.2", "-Xmaxf", "-Xmaxjitcodesize64m", "-Xmaxjitcodesize=64m", "-Xmaxjitcodesize1m", "-Xmaxjitcodesize", "-Xm512m", "-Xmxx", "-XX:", "-XX:+", "-Xbogus", "-Xoptimize",
		"-Xusealtsigs", "-Xdiag", "-Xmanagement", "-Xsharedclasses", "-XshowSettings", "-XshowSettings:vm", "-Xbootclasspath/a:x.jar", "-Xbootclasspath/p:x.jar", "-Xbootclasspath:x.jar",
		"-server", "-client", "-minimal", "-d64", "-d32", "-ea", "-esa", "-da:x...", "-enableassertions", "-eax", "-verbose", "-verbose:gc", "-verbose:jni", "-verbose:x", "-verbose:class", "-verbose:module", "-verbosegc",
		"-cp=x", "-cp x", "-classpath x", "--class-path=x", "--class-path x", "-p x", "--module-path=x", "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=0",
		"--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base", "--add-opens=java.base/java.lang=x", "--add-opens=nonsense/java.lang=ALL-UNNAMED",
		"--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-modules=ALL-SYSTEM", "--add-modules=java.sql", "--add-modules=java.se.ee", "--add-modules=java.xml.bind", "--limit-modules=java.base",
		"--illegal-access=permit", "--illegal-access=deny", "--illegal-access=warn", "--illegal-access=x", "--enable-preview", "--enable-native-access=ALL-UNNAMED", "--enable-native-access=x", "--sun-misc-unsafe-memory-access=allow", "--sun-misc-unsafe-memory-access=x",
		"--illegal-native-access=allow", "--illegal-native-access=x", "--bogus", "--show-version", "-showversion", "--patch-module=java.base=x", "--upgrade-module-path=x", "--source", "-splash:x.png", "-no-jre-restrict-search", "-jre-restrict-search",
		"-Djava.ext.dirs=x", "-Djava.endorsed.dirs=x", "-Djava.security.manager", "-Djava.security.manager=allow", "-Djava.security.manager=disallow", "-Dfoo=bar", "-Dfoo", "-D", "-Djdk.module.path=x", "-Djava.locale.providers=COMPAT", "-Dsun.nio.PageAlignDirectMemory=true",
		"-Djava.awt.headless=true", "-Dfile.encoding=x", "-Dfile.encoding=COMPAT", "-Djava.vendor.url=x", "-Djdk.module.addopens.0=x", "-Djava.compiler=NONE", "-Djava.lang.Integer.IntegerCache.high=1000",
	))
	if d.chance(30) {
		words = append(words, strings.Fields(d.of("-Xmx200m", "-XX:+UseSerialGC", "-XX:+IgnoreUnrecognizedVMOptions", "-Dx=y"))...)
	}
	return words
}

// sizes are numbers with units right and wrong.
func (d *draw) sizes() []string {
	flag := d.of("-Xmx", "-Xmx", "-Xms", "-Xmn", "-Xss", "-XX:MaxHeapSize=", "-XX:MaxMetaspaceSize=", "-XX:MetaspaceSize=", "-XX:ReservedCodeCacheSize=",
		"-XX:MaxDirectMemorySize=", "-XX:NewSize=", "-XX:MaxNewSize=", "-XX:InitialHeapSize=", "-XX:CompressedClassSpaceSize=", "-XX:InitialCodeCacheSize=",
		"-XX:ThreadStackSize=", "-XX:MaxRAM=", "-XX:StringTableSize=", "-XX:ParallelGCThreads=", "-XX:MaxGCPauseMillis=", "-XX:MaxTenuringThreshold=", "-XX:SoftMaxHeapSize=")
	return []string{flag + d.of("", "0", "1", "512", "200000", "100k", "3000k", "20m", "64m", "200M", "0.5g", "1.5g", "1gb", "1Gi", "64Mi", "-1", "-64m", "+64m", "0x4000000", "0X4000000",
		"0x40m", "064m", "64 m", " 64m", "64m ", "1e8", "x", "64mm", "99999999999999999999", "18446744073709551615", "9223372036854775807", "100000001", "7,5m", "%", "=64m", "64K", "\"64m\"", "64m;")}
}
