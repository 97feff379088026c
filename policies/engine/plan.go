package engine

import (
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/version"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/plan"
)

// Plannable are the modules that the plan is made of, and the rules that are asked for.
func Plannable() (modules map[string]*ast.Module, rules []string, err error) {
	files, err := filesWithRoots()
	if err != nil {
		return nil, nil, err
	}
	modules, err = parseModules(files, false)
	return modules, []string{
		"data.headroom.main.result", "data.headroom.detail.result", "data.headroom.explain.result",
		"data.headroom.diagnose.result", "data.headroom.size.result",
		"data.headroom.workload.context_kind", "data.headroom.workload.inert",
		// Commands ask for these with Value.
		"data.headroom.config.settings", "data.headroom.runtime.jvm.collectors",
		"data.headroom.lock.kept",
		// The engine asks for these where rules fail.
		"data.headroom.catalogue.ids",
	}, err
}

// PlanHeader is what the plan of these policies starts with: it tells them, and the OPA that made it. Each start makes
// it anew, so that the sum is one that the processor has an instruction for. It is for edits that no make generate
// followed, and not against attacks.
func PlanHeader() (string, error) {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	files, err := filesWithRoots()
	if err != nil {
		return "", err
	}
	part := make([]byte, 1<<15)
	for _, name := range files {
		if err := hash(sum, name, part); err != nil {
			return "", fmt.Errorf("read policy module: %w", err)
		}
	}
	return fmt.Sprintf("headroom plan %d, OPA %s, policies %08x\n", plan.Format, version.Version, sum.Sum32()), nil
}

// hash adds a file to a sum, a part at a time: ReadFile would copy all of it.
func hash(sum io.Writer, name string, part []byte) error {
	file, err := policies.Files.Open(name)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	// The length keeps the end of one file from being the start of the next.
	if _, err := fmt.Fprintf(sum, "%s %d\n", name, info.Size()); err != nil {
		return err
	}
	_, err = io.CopyBuffer(sum, file, part)
	return err
}

// theProgram is the plan in the binary, for all engines; nil where it is of other policies than these.
var theProgram = sync.OnceValues(openPlan)

func openPlan() (*plan.Program, error) {
	image, err := planImage()
	if err != nil || image == "" {
		return nil, err
	}
	program, err := plan.Open(image)
	if err != nil {
		return nil, fmt.Errorf("read the plan of the policies: %w (%s=%s make generate writes it anew)",
			err, EvaluatorVariable, EvaluatorOPA)
	}
	return program, nil
}
