package evaluate

import "github.com/google/cel-go/cel"

type celType = cel.Type

var stringType = []*celType{cel.StringType}
