// Command servers measures what real servers take. It downloads them from Maven Central, pinned and
// checked, below .tools/servers. It starts each in a cgroup with the limits of a container and puts
// load on it. Then it writes what the kernel charged and what the JVM says of its regions to
// tests/system/kernel/servers.json. `make evidence` runs it. It needs root on Linux, a JDK with javac
// in PATH, and the JDKs of `make jdks`. The servers are open source, and no part of this repository.
//
// With -only it measures those whose name contains a text, and keeps what the file has of the others.
package main

import (
	"archive/zip"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/record"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const (
	recorded = "tests/system/kernel/servers.json"
	cached   = ".tools/servers"
)

//go:embed java
var sources embed.FS

func main() {
	only := flag.String("only", "", "measure the servers whose name contains `TEXT` alone")
	load := flag.Duration("load", 50*time.Second, "`HOW LONG` each server is under load")
	flag.Parse()
	// The processes in the cgroups have to end with this one.
	lab.Main("servers", func(ctx context.Context) error { return run(ctx, *only, *load) })
}

func run(ctx context.Context, only string, load time.Duration) error {
	jars, err := parseArtefacts(artefactList)
	if err != nil {
		return err
	}
	found, err := jdks.Find()
	if err != nil {
		return err
	}
	found = jdks.PerRelease(found)
	file := repo.Path(recorded)
	before, err := record.ReadServers(file)
	if only == "" {
		before, err = &record.Servers{}, nil
	}
	if err != nil {
		return err
	}
	all := record.Servers{}
	if all.Machine, err = cgroup.Machine(); err != nil {
		return err
	}
	if only != "" && before.Machine != all.Machine {
		return fmt.Errorf("%s is of another machine: %+v", recorded, before.Machine)
	}
	for _, s := range servers {
		if !strings.Contains(s.name, only) {
			all.Servers = append(all.Servers, of(before, s)...)
			continue
		}
		at := slices.IndexFunc(found, func(j jdks.JDK) bool { return j.Feature == s.release })
		if at < 0 {
			return fmt.Errorf("no JDK %d; run tests/harness/jdks/install.sh", s.release)
		}
		fmt.Printf("%s, JDK %s\n", s.name, found[at].Build)
		seen, err := measure(ctx, s, jars[s.jars], found[at], load)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Printf("  %+v\n", seen)
		all.Servers = append(all.Servers, seen)
	}
	return all.Write(file)
}

// of is what was recorded of a server before.
func of(before *record.Servers, s server) []record.Server {
	at := slices.IndexFunc(before.Servers, func(seen record.Server) bool { return seen.Name == s.name && seen.Feature == s.release })
	if at < 0 {
		return nil
	}
	return before.Servers[at : at+1]
}

// measure fetches and compiles a server and runs it in a folder of its own.
func measure(ctx context.Context, s server, jars []artefact, jdk jdks.JDK, load time.Duration) (seen record.Server, err error) {
	dir, err := os.MkdirTemp("", "headroom-server-")
	if err != nil {
		return seen, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var classPath []string
	for _, jar := range jars {
		file, err := jar.get(ctx, repo.Path(cached))
		if err != nil {
			return seen, err
		}
		classPath = append(classPath, file)
		if filepath.Ext(file) == ".zip" {
			if err := unpack(file, dir); err != nil {
				return seen, err
			}
		}
	}
	if s.classPath != "" {
		classPath = []string{strings.ReplaceAll(s.classPath, "{dir}", dir)}
	}
	if err := os.CopyFS(dir, sources); err != nil {
		return seen, err
	}
	if s.source != "" {
		_, err := lab.Output(ctx, "javac", "-proc:none", "-parameters", "--release", "17", "-d", filepath.Join(dir, "classes"),
			"-cp", strings.Join(classPath, string(os.PathListSeparator)), filepath.Join(dir, "java", s.source+".java"))
		if err != nil {
			return seen, err
		}
		classPath = append(classPath, filepath.Join(dir, "classes"))
	}
	properties := strings.ReplaceAll(kafkaProperties, "{dir}", dir)
	if err := os.WriteFile(filepath.Join(dir, "server.properties"), []byte(properties), 0o600); err != nil {
		return seen, err
	}
	return stage{dir, strings.Join(classPath, string(os.PathListSeparator)), jdk}.run(ctx, s, load)
}

func unpack(file, dir string) error {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }()
	return os.CopyFS(dir, archive)
}
