//go:build !js && !lean

package source

import (
	"context"
	"errors"
	"fmt"

	chart "helm.sh/helm/v4/pkg/chart/v2"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func (j job) do() made {
	var m made
	var err error
	if j.Chart.Path != "" {
		if err = j.render(&m); err != nil {
			problem := helmProblem(display(j.Chart.Path), err)
			return made{Failed: true, Problem: failure{problem.File, problem.Line, problem.Cause.Error(), errors.Is(err, errLibrary)}}
		}
		return m
	}
	within := boundsOf(j.Folder, j.Follow)
	if err = within.say(); err == nil {
		m.Text, err = buildWith(j.files(within), j.Folder, j.EnableHelm)
	}
	if err == nil {
		err = m.bound(j.Limit)
	}
	if err != nil {
		return made{Failed: true, Problem: failure{File: display(j.Folder), Text: kustomizeError(err).Error()}}
	}
	return m
}

func (j job) render(m *made) error {
	if !j.Follow {
		if err := keepsInside(j.Chart.Path); err != nil {
			return err
		}
	}
	loaded, err := loadChart(j.Chart, j.Follow)
	if err != nil {
		return err
	}
	given := plainValues(j.Given)
	if j.Given == nil {
		if given, err = j.merged(); err != nil {
			return err
		}
	}
	if j.Tell {
		if err := m.tell(j, loaded, given); err != nil {
			return err
		}
	}
	templates, seen, err := renderChart(context.Background(), loaded, j.Chart, given)
	if err != nil {
		return err
	}
	m.Templates, m.Held = templates, j.Schema && bySchema(loaded, seen)
	if j.Tell {
		if m.Seen = plainValues(seen); told(m.Seen) > maxTold {
			return errManyValues
		}
	}
	return m.bound(j.Limit)
}

// tell notes the user's values, and the templates, before anything is rendered with them.
func (m *made) tell(j job, loaded *chart.Chart, given map[string]any) (err error) {
	if told(given) > maxTold {
		return errManyValues
	}
	m.Sources = map[string][]string{}
	noteTemplates(m.Sources, "", loaded)
	m.Given = plainValues(given)
	m.Inputs, err = j.inputs()
	return err
}

// maxRenderedBytes bounds the texts of one chart, which are all kept.
const maxRenderedBytes = 32 << 20

// bound leaves out texts that are too large to be read.
func (m *made) bound(limit int64) error {
	m.Sizes = map[string]int64{}
	total := int64(len(m.Text))
	if total > limit {
		m.Sizes[""], m.Text, total = total, nil, 0
	}
	for name, text := range m.Templates {
		if size := int64(len(text)); size > limit {
			m.Sizes[name], m.Templates[name] = size, ""
		} else {
			total += size
		}
	}
	if total > maxRenderedBytes {
		return fmt.Errorf("it renders to more than %d MiB", maxRenderedBytes>>20)
	}
	return nil
}

func noteTemplates(sources map[string][]string, key string, of *chart.Chart) {
	for _, template := range of.Templates {
		sources[key] = append(sources[key], string(template.Data))
	}
	for _, sub := range of.Dependencies() {
		below := sub.Name()
		if key != "" {
			below = key + "." + below
		}
		noteTemplates(sources, below, sub)
	}
}

func (j job) files(within bounds) filesys.FileSystem {
	if j.Memory != nil {
		memory := filesys.MakeFsInMemory()
		for name, text := range j.Memory {
			_ = memory.WriteFile(name, text) // nothing in memory fails
		}
		return memory
	}
	var files filesys.FileSystem = guarded{filesys.MakeFsOnDisk(), within}
	for name, text := range j.Over {
		files = overlaid{FileSystem: files, file: name, text: text}
	}
	return files
}
