// Package engine evaluates the Rego under policies/rego and hands out what it decides.
// It compiles the policies once and decides nothing itself.
package engine

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"github.com/headroom-dev/headroom/policies"
)

// Options say how the policies are prepared.
type Options struct {
	// Config is the content of a headroom.yaml, nil for the defaults. The caller has
	// checked it against the schema.
	Config map[string]any
	// Now is the time that exemptions are measured against, in ns since 1970 UTC;
	// 0 means the time of the evaluation.
	Now int64
}

// Engine holds the compiled policies. It is safe for concurrent use.
type Engine struct {
	store    storage.Store
	compiler *ast.Compiler
	result   rego.PreparedEvalQuery
	kind     rego.PreparedEvalQuery
	kinds    kindCache
	details  detailQuery
	explain  detailQuery
}

// skippedStages are half of what compiling would take. Most check what `opa check --strict`
// has checked before a release, on these very files. The others put the statements of each
// body into an order in which they can be evaluated, and rewrite what the policies do not
// use; TestSkippedStagesChangeNothing shows that they find nothing to do. A comprehension
// index pays for itself with hundreds of elements, and a Pod has three containers.
var skippedStages = []ast.StageID{
	ast.StageCheckUnusedImports,
	ast.StageCheckKeywordOverrides,
	ast.StageCheckDuplicateImports,
	ast.StageCheckVoidCalls,
	ast.StageRewritePrintCalls,
	ast.StageParseMetadataBlocks,
	ast.StageSetAnnotationSet,
	ast.StageRewriteRegoMetadataCalls,
	ast.StageSetGraph, // for CheckRecursion and CheckTypes
	ast.StageCheckRuleConflicts,
	ast.StageCheckUndefinedFuncs,
	ast.StageCheckSafetyRuleHeads,
	ast.StageCheckSafetyRuleBodies,
	ast.StageCheckRecursion,
	ast.StageCheckTypes,
	ast.StageCheckUnsafeBuiltins,
	ast.StageCheckDeprecatedBuiltins,
	ast.StageBuildComprehensionIndices,
	ast.StageBuildRequiredCapabilities,
}

// New makes the policies ready, from their image where there is one.
func New(ctx context.Context, o Options) (*Engine, error) {
	image, _ := policies.Files.ReadFile(imageFile) // empty where there is none
	compiler, err := compilerOf(image)
	return withCompiler(ctx, compiler, err, o)
}

// compilerOf takes the compiled policies from an image, or compiles them if it is not theirs.
func compilerOf(image []byte) (*ast.Compiler, error) {
	files, err := moduleFiles()
	if err != nil {
		return nil, err
	}
	if compiler, err := fromImage(image, files); compiler != nil || err != nil {
		return compiler, err
	}
	modules, err := parseModules(files, false)
	if err != nil {
		return nil, err
	}
	return compile(modules)
}

func compile(modules map[string]*ast.Module) (*ast.Compiler, error) {
	compiler := ast.NewCompiler().WithSkipStages(skippedStages...)
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, fmt.Errorf("compile policies: %w", compiler.Errors)
	}
	return compiler, nil
}

func withCompiler(ctx context.Context, compiler *ast.Compiler, err error, o Options) (*Engine, error) {
	if err != nil {
		return nil, err
	}
	data := map[string]any{}
	if o.Config != nil {
		data["overrides"] = o.Config
	}
	if o.Now != 0 {
		data["now"] = o.Now
	}
	e := &Engine{
		compiler: compiler,
		store: inmem.NewFromObjectWithOpts(map[string]any{"headroom": data},
			inmem.OptRoundTripOnWrite(true), inmem.OptReturnASTValuesOnRead(true)),
	}
	for query, into := range map[string]*rego.PreparedEvalQuery{
		"data.headroom.main.result": &e.result,
		"kind := data.headroom.workload.context_kind; inert := data.headroom.workload.inert": &e.kind,
	} {
		prepared, err := e.prepare(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", query, err)
		}
		*into = prepared
	}
	return e, nil
}

func (e *Engine) prepare(ctx context.Context, query string) (rego.PreparedEvalQuery, error) {
	return rego.New(
		rego.Compiler(e.compiler),
		rego.Store(e.store),
		rego.Query(query),
		// A built-in that fails must stop the evaluation, not make a rule vanish.
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(ctx)
}
