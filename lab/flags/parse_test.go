package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// As Java 8 and 17 print them.
const listing = `[Global flags]
     intx CICompilerCount                          := 2                                   {product}
    ccstr HeapDumpPath                              =                                     {manageable}
    uintx MaxHeapSize                              := 6320816128                          {product}
     bool PrintAssembly                             = false                               {diagnostic}
      int AVX3Threshold                            = 4096                              {ARCH diagnostic} {default}
   double MaxRAMPercentage                         = 25.000000                                 {product} {default}
     uint ParallelGCThreads                        = 2                                         {product} {ergonomic}
   size_t MaxRAM                                   = 1073741824                           {pd product} {command line}
ccstrlist OnError                                  = kill -9 %p                                {product} {default}
openjdk version "17.0.15" 2025-04-15
`

func TestParseFlags(t *testing.T) {
	want := map[string]printed{
		"CICompilerCount":   {kind: "intx", value: "2", traits: "product", ergonomic: true},
		"HeapDumpPath":      {kind: "ccstr", traits: "manageable"},
		"MaxHeapSize":       {kind: "uintx", value: "6320816128", traits: "product", ergonomic: true},
		"PrintAssembly":     {kind: "bool", value: "false", traits: "diagnostic"},
		"AVX3Threshold":     {kind: "int", value: "4096", traits: "ARCH diagnostic"},
		"MaxRAMPercentage":  {kind: "double", value: "25.000000", traits: "product"},
		"ParallelGCThreads": {kind: "uint", value: "2", traits: "product", ergonomic: true},
		"MaxRAM":            {kind: "size_t", value: "1073741824", traits: "pd product"},
		"OnError":           {kind: "ccstrlist", value: "kill -9 %p", traits: "product"},
	}
	if got := parseFlags(listing); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestParseRanges(t *testing.T) {
	got := parseRanges(`[Global flags ranges]
      int ActiveProcessorCount                     [                           ...                           ]              {product} {default}
     intx AllocatePrefetchDistance                 [ -1                        ...                       512 ]              {product} {default}
   double MaxRAMPercentage                         [ 0.000                     ...                   100.000 ]              {product} {default}
`)
	want := map[string]printed{
		"ActiveProcessorCount":     {kind: "int", traits: "product"},
		"AllocatePrefetchDistance": {kind: "intx", least: "-1", most: "512", traits: "product"},
		"MaxRAMPercentage":         {kind: "double", least: "0.000", most: "100.000", traits: "product"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// As Java 8, 11 and 25 say it.
func TestParseAnswers(t *testing.T) {
	got := parseAnswers(`OpenJDK 64-Bit Server VM warning: ignoring option MaxPermSize=1; support was removed in 8.0
OpenJDK 64-Bit Server VM warning: Ignoring option PermSize; support was removed in 8.0
OpenJDK 64-Bit Server VM warning: Option UseConcMarkSweepGC was deprecated in version 9.0 and will likely be removed in a future release.
Error: VM option 'G1NewSizePercent' is experimental and must be enabled via -XX:+UnlockExperimentalVMOptions.
Error: The unlock option must precede 'G1NewSizePercent'.
Improperly specified VM option 'G1NewSizePercent=1'
Error: VM option 'PrintAssembly' is diagnostic and must be enabled via -XX:+UnlockDiagnosticVMOptions.
Error: VM option 'ZapUnusedHeapArea' is develop and is available only in debug version of VM.
Unrecognized VM option 'MaxFoo=3'
Unrecognized VM option '+Bar'
Did you mean '(+/-)UseBar'?
`)
	want := map[string]byte{
		"MaxPermSize": ignored, "PermSize": ignored, "UseConcMarkSweepGC": deprecated, "G1NewSizePercent": experimental,
		"PrintAssembly": diagnostic, "ZapUnusedHeapArea": refused, "MaxFoo": refused, "Bar": refused,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCompareBuilds(t *testing.T) {
	builds := []string{
		"1.8.0_504-8u504-ga-1-b01", "11.0.5+10-LTS", "11.0.33-ea+8-post-1-Debian", "17.0.3+7", "17.0.15+6-Debian-1deb12u1",
	}
	if !slices.IsSortedFunc(builds, compareBuilds) {
		t.Error("an older build is taken for newer")
	}
}

// Whatever a JVM prints, what is read of it has a name.
func FuzzParse(f *testing.F) {
	f.Add(listing)
	f.Add("Unrecognized VM option '+Bar'\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, all := range []map[string]printed{parseFlags(text), parseRanges(text)} {
			for name, p := range all {
				if name == "" || p.kind == "" || strings.ContainsAny(name+p.kind, " \n") {
					t.Errorf("%q: %+v", name, p)
				}
			}
		}
		if _, ok := parseAnswers(text)[""]; ok {
			t.Error("an answer about no flag")
		}
	})
}
