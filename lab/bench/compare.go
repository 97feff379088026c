package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// What design promises of `headroom lint`.
const (
	coldWall      = 25 * time.Millisecond
	coldRSS       = 48 * report.Mebi
	manyFilesWall = 3 * time.Second
	manyFilesRSS  = 200 * report.Mebi
)

// policyFolder is where conftest finds headroom's policies; toyPolicy is the least that
// one could want of a policy, to tell what conftest takes for itself.
const (
	policyFolder = "policies/rego"
	toyPolicy    = "lab/bench/toy"
)

// programs are the tools as one would call them on a path.
func (t tools) programs(paths ...string) []program {
	lint := append([]string{t.headroom, "lint", "--no-config", "--no-progress", "--fail-on", "never"}, paths...)
	all := []program{{name: "headroom", args: lint}}
	if t.kubeScore != "" {
		all = append(all, program{name: "kube-score", args: append([]string{t.kubeScore, "score"}, paths...)})
	}
	if t.conftest != "" {
		for _, policy := range [][2]string{
			{"conftest, headroom's policies", policyFolder}, {"conftest, one small rule", toyPolicy},
		} {
			args := append([]string{t.conftest, "test", "--no-fail", "-p", policy[1]}, paths...)
			all = append(all, program{name: policy[0], args: args})
		}
	}
	return all
}

// coldStarts judges one file.
func coldStarts(t tools, file string, rounds int) error {
	programs := t.programs(file)
	results, err := alternate(rounds, programs)
	if err != nil {
		return err
	}
	out := processTable(fmt.Sprintf("One Deployment, cold, %d runs of each in turn", rounds))
	for i := range results {
		promise, is := "", ""
		if i == 0 {
			promise = fmt.Sprintf("%s, %s", report.Milliseconds(coldWall), report.Megabytes(coldRSS))
			is = report.Times(ratio(results[i].bestWall(), coldWall)) + ", " + report.Times(float64(results[i].rss)/coldRSS)
		}
		out.add(programs[i].name, &results[i], promise, is)
	}
	out.Print()
	return nil
}

// manyFiles judges 1 000 files with every program, 1 000 JVMs as well, and 10 000 files with headroom.
func manyFiles(t tools, thousand, jvms, tenThousand string, rounds int) error {
	if err := thousandFiles(t, "1 000 Deployments in 1 000 files", thousand, 1, rounds); err != nil {
		return err
	}
	if err := thousandFiles(t, "1 000 JVMs with findings in 1 000 files", jvms, 2, rounds); err != nil {
		return err
	}
	larger, err := alternate(max(1, rounds/2), t.programs(tenThousand)[:1])
	if err != nil {
		return err
	}
	out := processTable("10 000 Deployments in 10 000 files")
	out.add("headroom", &larger[0],
		fmt.Sprintf("%s, %s", report.Milliseconds(manyFilesWall), report.Megabytes(manyFilesRSS)),
		report.Times(ratio(larger[0].bestWall(), manyFilesWall))+", "+report.Times(float64(larger[0].rss)/manyFilesRSS))
	out.Print()
	return nil
}

// thousandFiles judges a folder with every program. headroom may take so many times as long as kube-score.
func thousandFiles(t tools, title, folder string, times float64, rounds int) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	programs := t.programs(folder)
	for i := range programs {
		if programs[i].name == "kube-score" { // reads no folders
			programs[i] = t.programs(files...)[i]
		}
	}
	results, err := alternate(rounds, programs)
	if err != nil {
		return err
	}
	out := processTable(fmt.Sprintf("%s, %d runs of each in turn", title, rounds))
	for i := range results {
		promise, is := "", ""
		switch programs[i].name {
		case "kube-score":
			promise = fmt.Sprintf("headroom %v × as long", times)
			is = beside(&results[0], &results[i], 1/times)
		case "conftest, headroom's policies":
			promise = "headroom a third"
			is = beside(&results[0], &results[i], 3)
		}
		out.add(programs[i].name, &results[i], promise, is)
	}
	out.Print()
	return nil
}

// beside compares headroom with so many times of another program. headroom uses all
// processors, so that the wall time tells little on a busy machine.
func beside(headroom, other *measured, factor float64) string {
	return fmt.Sprintf("%s, CPU %s",
		report.Times(factor*ratio(headroom.bestWall(), other.bestWall())), report.Times(factor*ratio(headroom.bestCPU(), other.bestCPU())))
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
