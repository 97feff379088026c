package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// program is what a file of images/go says: the releases of a program that is written in Go, of which some have been
// read.
type program struct {
	Names    []string `yaml:"names"`
	Module   string   `yaml:"module"`
	Unless   string   `yaml:"unless"`
	Releases []struct {
		Release string `yaml:"release"`
		Go      string `yaml:"go"`
		Sets    string `yaml:"sets"`
	} `yaml:"releases"`
}

// programs writes the programs of images/go as Rego: releases as lists of numbers, in their order.
func programs() (generated, error) {
	files, err := filepath.Glob(filepath.Join(imagesDir, "go", "*.yaml"))
	if err != nil {
		return generated{}, err
	}
	names := map[string]map[string]string{}
	known := map[string]any{}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".yaml")
		p, err := readProgram(file, id)
		if err != nil {
			return generated{}, fmt.Errorf("%s: %w", file, err)
		}
		known[id], err = p.judged()
		if err != nil {
			return generated{}, fmt.Errorf("%s: %w", file, err)
		}
		for _, name := range p.Names {
			last := name[strings.LastIndex(name, "/")+1:]
			if names[last] == nil {
				names[last] = map[string]string{}
			}
			if other, taken := names[last][name]; taken {
				return generated{}, fmt.Errorf("%s: %s has %s, too", file, other, name)
			}
			names[last][name] = id
		}
	}
	return regoFile("policies/rego/headroom/runtime/go/programs_table.rego", "headroom.runtime.go", []constant{
		{"program_names are images of programs in Go by their last part, each with its program.", "program_names", members(names)},
		{"programs in Go with the releases that were read.", "programs", known},
	})
}

func readProgram(file, id string) (program, error) {
	text, err := os.Open(file)
	if err != nil {
		return program{}, err
	}
	defer func() { _ = text.Close() }()
	family := map[string]program{}
	decoder := yaml.NewDecoder(text)
	decoder.KnownFields(true)
	if err := decoder.Decode(&family); err != nil {
		return program{}, err
	}
	p, found := family[id]
	if !found || len(family) != 1 || len(p.Names) == 0 || p.Module == "" || len(p.Releases) == 0 {
		return program{}, fmt.Errorf("its one key is to be %s, with names, module and releases", id)
	}
	return p, nil
}

// judged is what the policies read of a program.
func (p program) judged() (map[string]any, error) {
	releases := []map[string]any{}
	for _, r := range p.Releases {
		release, err := numbers(r.Release, 3)
		if err != nil {
			return nil, err
		}
		row := map[string]any{"release": release}
		if r.Sets == "" {
			if row["go"], err = numbers(r.Go, 2); err != nil {
				return nil, err
			}
		}
		releases = append(releases, row)
	}
	if !slices.IsSortedFunc(releases, func(a, b map[string]any) int {
		return slices.CompareFunc(a["release"].([]int), b["release"].([]int), cmp.Compare[int])
	}) {
		return nil, fmt.Errorf("its releases are to stand in their order")
	}
	kept := map[string]any{"releases": releases}
	if p.Unless != "" {
		kept["unless"] = p.Unless
	}
	return kept, nil
}

// numbers of a version: 1.24 is 1 and 24.
func numbers(version string, count int) ([]int, error) {
	parts := strings.Split(version, ".")
	if len(parts) != count {
		return nil, fmt.Errorf("%q has not %d numbers", version, count)
	}
	var all []int
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
