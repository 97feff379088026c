package cel

import "strings"

// WithoutOrValue writes x.orValue(y) as x.or(optional.of(y)).value(). Kyverno gives orValue another
// meaning, whose result has no type; an expression that the API server takes would not compile there.
func WithoutOrValue(expression string) string {
	const call = ".orValue("
	var out strings.Builder
	for i := 0; i < len(expression); {
		if end := literalEnd(expression, i); end > i {
			out.WriteString(expression[i:end])
			i = end
			continue
		}
		if !strings.HasPrefix(expression[i:], call) {
			out.WriteByte(expression[i])
			i++
			continue
		}
		from := i + len(call)
		to := closing(expression, from)
		out.WriteString(".or(optional.of(" + WithoutOrValue(expression[from:to]) + ")).value()")
		i = to + 1
	}
	return out.String()
}

// closing is the place of the bracket that closes what is open at from.
func closing(expression string, from int) int {
	depth := 1
	for i := from; i < len(expression); {
		if end := literalEnd(expression, i); end > i {
			i = end
			continue
		}
		switch expression[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
		i++
	}
	return len(expression) - 1 // no CEL: its compiler will say so
}

// literalEnd is where the string literal ends that begins at i; i where none does.
func literalEnd(expression string, i int) int {
	raw := false
	start := i
	if (expression[i] == 'r' || expression[i] == 'R') && i+1 < len(expression) && (i == 0 || !wordByte(expression[i-1])) {
		raw, start = true, i+1
	}
	quote := expression[start]
	if quote != '\'' && quote != '"' {
		return i
	}
	for j := start + 1; j < len(expression); j++ {
		switch {
		case expression[j] == '\\' && !raw:
			j++
		case expression[j] == quote:
			return j + 1
		}
	}
	return len(expression)
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
