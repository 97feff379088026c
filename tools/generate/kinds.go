package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const kindsDir = "policies/rego/headroom/kinds"

// podKinds writes the kinds that describe Pods as Rego: by group and name, and what those behave
// like that are like a kind of Kubernetes.
func podKinds() (generated, error) {
	files, err := filepath.Glob(filepath.Join(kindsDir, "*.yaml"))
	if err != nil {
		return generated{}, err
	}
	groups := map[string]map[string]any{}
	likes := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return generated{}, err
		}
		var project map[string][]map[string]any
		if err := yaml.Unmarshal(text, &project); err != nil {
			return generated{}, fmt.Errorf("%s: %w", file, err)
		}
		key := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if len(project) != 1 || len(project[key]) == 0 {
			return generated{}, fmt.Errorf("%s: its one key is to be %s, a list of kinds", file, key)
		}
		for _, record := range project[key] {
			if unknown := unknownKindKeys(record); len(unknown) > 0 {
				return generated{}, fmt.Errorf("%s: no such keys: %s (docs/adding-a-kind.md)", file, strings.Join(unknown, ", "))
			}
			group, _ := record["group"].(string)
			if groups[group] == nil {
				groups[group] = map[string]any{}
			}
			names, _ := record["kinds"].([]any)
			if len(names) == 0 || record["read"] == nil || record["pods"] == nil {
				return generated{}, fmt.Errorf("%s: kinds, read and pods have to be there", file)
			}
			kept := map[string]any{"pods": record["pods"]}
			if like, ok := record["like"].(string); ok {
				kept["like"] = like
				for _, name := range names {
					likes[fmt.Sprint(name)] = like
				}
			}
			for _, name := range names {
				if groups[group][fmt.Sprint(name)] != nil {
					return generated{}, fmt.Errorf("%s: %s of %s is there already", file, name, group)
				}
				groups[group][fmt.Sprint(name)] = kept
			}
		}
	}
	return regoFile(filepath.Join(kindsDir, "table.rego"), "headroom.kinds", []constant{
		{"kinds by group and name.", "kinds", members(groups)},
		{"likes are the kinds of Kubernetes that others behave like.", "likes", members(likes)},
	})
}

// Keys are those of docs/adding-a-kind.md.
var (
	kindKeys = strings.Fields("group kinds read like pods")
	podKeys  = strings.Fields("template partial given merged images unless needs containers beside init name resources " +
		"at container name_at amounts units pair usual jvm line overhead")
)

func unknownKindKeys(record map[string]any) []string {
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(record)), func(key string) bool { return slices.Contains(kindKeys, key) })
	pods, _ := record["pods"].([]any)
	for _, entry := range pods {
		entry, _ := entry.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(entry)) {
			if !slices.Contains(podKeys, key) {
				unknown = append(unknown, "pods."+key)
			}
		}
	}
	return unknown
}
