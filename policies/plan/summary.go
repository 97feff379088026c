package plan

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
)

// summary is what decides how long the value of a function is known.
type summary struct {
	own    level
	isFact bool // has no arguments
	weight int  // statements
	calls  []call
	// known is its level, once it is worked out.
	known level
	done  bool
}

// call is a place where a function is called.
type call struct {
	name     string
	repeated bool // for each element of something
}

const (
	callWeight = 8 // statements that a call is worth
	light      = 8 // statements; asking what is known takes as long as that
)

func summarize(f *ir.Func) *summary {
	s := &summary{isFact: len(f.Params) == globals}
	s.add(f.Blocks, false)
	return s
}

func (s *summary) add(blocks []*ir.Block, repeated bool) {
	for _, b := range blocks {
		for _, stmt := range b.Stmts {
			s.weight++
			d := newDescriber().describe(stmt)
			reads := d.reads
			switch stmt := stmt.(type) {
			case *ir.CallStmt:
				if builtin := ast.BuiltinMap[stmt.Func]; builtin != nil {
					if builtin.Nondeterministic {
						s.own = onInput
					}
					break
				}
				s.weight += callWeight
				s.calls = append(s.calls, call{stmt.Func, repeated})
				reads = reads[globals:] // each function is handed input and data
			case *ir.CallDynamicStmt:
				s.own = onInput // it may call any
			}
			for _, o := range reads {
				switch o.Value {
				case ir.Input:
					s.own = onInput
				case ir.Data:
					s.own = max(s.own, onData)
				}
			}
			_, loop := stmt.(*ir.ScanStmt)
			s.add(d.blocks, repeated || loop)
		}
	}
}

func levelOf(name string, functions map[string]*summary) level {
	s := functions[name]
	if s == nil {
		return onInput // not there: compileAll says so
	}
	if !s.done {
		s.done, s.known = true, s.own
		for _, callee := range s.calls {
			s.known = max(s.known, levelOf(callee.name, functions))
		}
	}
	return s.known
}

// askedAgain are the functions that may be asked the same again and take longer than to look up what is known. A
// function is not where one place alone calls it, and no more than once each time that its caller's answer is worked out.
func askedAgain(functions map[string]*summary) map[string]bool {
	places, again := map[string]int{}, map[string]bool{}
	for _, caller := range functions {
		for _, c := range caller.calls {
			callee := functions[c.name]
			if callee == nil || callee.weight <= light {
				continue
			}
			places[c.name]++
			if places[c.name] > 1 || c.repeated || !caller.isFact && caller.weight <= light {
				again[c.name] = true
			}
		}
	}
	return again
}
