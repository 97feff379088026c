package plan

import "github.com/open-policy-agent/opa/v1/ir"

// visitor is shown the fields of a statement: the one description of all statements that serves those who write,
// read and compile them.
type visitor interface {
	reads(*ir.Local)
	sets(*ir.Local)
	changes(*ir.Local) // for a while: it is read, set and put back
	grows(*ir.Local)   // puts the operands before it into that array, object or set
	operand(*ir.Operand)
	operands(*[]ir.Operand)
	block(**ir.Block)
	blocks(*[]*ir.Block)
	depth(*uint32) // how many blocks a break leaves
	int64(*int64)
	string(*int) // by its place among the strings
	strings(*[]int)
	name(*string) // of a function
	location(*ir.Location)
}

// fields shows a visitor each field of a statement, in the order in which it is written.
func fields(s ir.Stmt, v visitor) {
	switch s := s.(type) {
	case *ir.ReturnLocalStmt:
		v.reads(&s.Source)
	case *ir.CallStmt:
		v.name(&s.Func)
		v.operands(&s.Args)
		v.sets(&s.Result)
		v.location(&s.Location)
	case *ir.CallDynamicStmt:
		v.operands(&s.Path)
		v.sets(&s.Result)
	case *ir.BlockStmt:
		v.blocks(&s.Blocks)
	case *ir.BreakStmt:
		v.depth(&s.Index)
	case *ir.DotStmt:
		v.operand(&s.Source)
		v.operand(&s.Key)
		v.sets(&s.Target)
	case *ir.LenStmt:
		v.operand(&s.Source)
		v.sets(&s.Target)
	case *ir.ScanStmt:
		v.reads(&s.Source)
		v.sets(&s.Key)
		v.sets(&s.Value)
		v.block(&s.Block)
	case *ir.NotStmt:
		v.block(&s.Block)
	case *ir.AssignIntStmt:
		v.int64(&s.Value)
		v.sets(&s.Target)
	case *ir.AssignVarStmt:
		v.operand(&s.Source)
		v.sets(&s.Target)
	case *ir.AssignVarOnceStmt:
		v.operand(&s.Source)
		v.sets(&s.Target)
		v.location(&s.Location)
	case *ir.ResetLocalStmt:
		v.sets(&s.Target)
	case *ir.MakeNullStmt:
		v.sets(&s.Target)
	case *ir.MakeNumberIntStmt:
		v.int64(&s.Value)
		v.sets(&s.Target)
	case *ir.MakeNumberRefStmt:
		v.string(&s.Index)
		v.sets(&s.Target)
	case *ir.MakeArrayStmt:
		v.sets(&s.Target)
	case *ir.MakeObjectStmt:
		v.sets(&s.Target)
	case *ir.MakeSetStmt:
		v.sets(&s.Target)
	case *ir.EqualStmt:
		v.operand(&s.A)
		v.operand(&s.B)
	case *ir.NotEqualStmt:
		v.operand(&s.A)
		v.operand(&s.B)
	case *ir.IsArrayStmt:
		v.operand(&s.Source)
	case *ir.IsObjectStmt:
		v.operand(&s.Source)
	case *ir.IsSetStmt:
		v.operand(&s.Source)
	case *ir.IsDefinedStmt:
		v.reads(&s.Source)
	case *ir.IsUndefinedStmt:
		v.reads(&s.Source)
	case *ir.ArrayAppendStmt:
		v.operand(&s.Value)
		v.grows(&s.Array)
	case *ir.ObjectInsertStmt:
		v.operand(&s.Key)
		v.operand(&s.Value)
		v.grows(&s.Object)
	case *ir.ObjectInsertOnceStmt:
		v.operand(&s.Key)
		v.operand(&s.Value)
		v.grows(&s.Object)
		v.location(&s.Location)
	case *ir.ObjectMergeStmt:
		v.reads(&s.A)
		v.reads(&s.B)
		v.sets(&s.Target)
	case *ir.SetAddStmt:
		v.operand(&s.Value)
		v.grows(&s.Set)
	case *ir.WithStmt:
		v.changes(&s.Local)
		v.strings(&s.Path)
		v.operand(&s.Value)
		v.block(&s.Block)
	}
}
