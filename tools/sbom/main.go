// Command sbom writes what a Go binary is made of, as CycloneDX JSON: the modules that the
// linker wrote into it, with the licences that lie in the module cache. The same binary gives
// the same bytes: no random number and no time but the one that is given.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.bom, "o", "", "`FILE` to write the bill of materials to")
	flag.StringVar(&o.notices, "notices", "", "`FILE` to write the texts of the licences to")
	flag.StringVar(&o.version, "version", "", "`VERSION` of the program")
	flag.Int64Var(&o.seconds, "time", 0, "when it was made, in `SECONDS` since 1970")
	flag.StringVar(&o.allowed, "allow", "", "`LICENCES` that modules may have, by SPDX identifier, with commas between; others fail")
	if flag.Parse(); flag.NArg() != 1 || o.bom == "" && o.allowed == "" {
		fmt.Fprintln(os.Stderr, "usage: sbom [-allow LICENCES] [-o FILE] [-notices FILE] [-version VERSION] [-time SECONDS] BINARY")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), o); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

type options struct {
	bom, notices, version, allowed string
	seconds                        int64
}

func run(binary string, o options) error {
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("read build information: %w", err)
	}
	licensed, err := newLicenses(info)
	if err != nil {
		return err
	}
	if o.allowed != "" {
		if err := licensed.check(strings.Split(o.allowed, ",")); err != nil || o.bom == "" {
			return err
		}
	}
	text, err := encode(describe(info, content, licensed, o.version, time.Unix(o.seconds, 0).UTC()))
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.bom, text, 0o644); err != nil || o.notices == "" {
		return err
	}
	return os.WriteFile(o.notices, licensed.notices(), 0o644)
}
