package decision

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tidwall/gjson"
)

// maxObject is what the API server takes of one object (W47).
const maxObject = 3 << 20

// maxDepth bounds nesting before anything recurses. The deepest field of Kubernetes'
// own kinds lies some twenty levels down.
const maxDepth = 200

// maxValues bounds the fields and items of an object: each takes some hundred bytes and a microsecond to read, however
// short it is. An object of 3 MiB with variables of a usual length has half as many.
const maxValues = 200_000

// maxDigits bounds a number. A float64 in full has some three hundred digits; what compares numbers takes the square of
// their length.
const maxDigits = 1024

// What makes an object one that cannot be judged.
var (
	ErrTooLarge  = errors.New("the object is larger than 3 MiB")
	ErrTooMany   = errors.New("the object has more than 200 000 fields")
	ErrLongText  = errors.New("the object has a text of more than 256 KiB")
	ErrMalformed = errors.New("the object is not a JSON object, or too deeply nested, or a number in it is too long")
)

// Valid says whether text is JSON that is safe to take apart. It comes before everything
// else: what takes JSON apart later relies on it.
func Valid(text string) bool {
	depth, digits := extent(text)
	return depth <= maxDepth && digits <= maxDigits && gjson.Valid(text)
}

// extent is how deep brackets nest, and how many digits stand in a row outside of texts, at least where text is JSON.
func extent(text string) (depth, digits int) {
	level, first := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i = closing(text, i)
		case c == '{' || c == '[':
			level++
			depth = max(depth, level)
		case c == '}' || c == ']':
			level--
		case '0' <= c && c <= '9':
			digits = max(digits, i+1-first)
			continue
		}
		first = i + 1
	}
	return depth, digits
}

// closing is where the string that begins at a quote ends.
func closing(text string, quote int) int {
	for i := quote + 1; ; i++ {
		next := strings.IndexByte(text[i:], '"')
		if next < 0 {
			return len(text)
		}
		i += next
		before := i
		for text[before-1] == '\\' {
			before--
		}
		if (i-before)%2 == 0 {
			return i
		}
	}
}

// reduced is what is judged of an object, as JSON: the object less what is cut, in the
// namespace of the request. It is also the object's part of the cache's key, so that
// nothing can change a verdict without changing the key.
func (c reductions) reduced(into []byte, r Request) ([]byte, error) {
	if len(r.Object) > maxObject {
		return nil, ErrTooLarge
	}
	if !r.Checked && !Valid(r.Object) {
		return nil, ErrMalformed
	}
	root := gjson.Parse(r.Object)
	if !root.IsObject() {
		return nil, ErrMalformed
	}
	w := reducer{out: into, namespace: r.Namespace}
	w.object(root, c.reductionFor(root.Get("apiVersion").Str, root.Get("kind").Str), true)
	if parts(w.out[len(into):]) > maxValues {
		return nil, ErrTooMany
	}
	return w.out, nil
}

// parts is about how many fields and items JSON has.
func parts(text []byte) int {
	return bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("["))
}

type reducer struct {
	out       []byte
	namespace string
}

func (w *reducer) value(v gjson.Result, c *reduction) {
	switch {
	case c == nil:
		w.out = append(w.out, v.Raw...)
	case c.each != nil && v.IsArray():
		w.list(v, c.each)
	case c.each == nil && v.IsObject():
		w.object(v, c, false)
	default:
		w.out = append(w.out, v.Raw...)
	}
}

// object writes an object. Keys are compared as they are written: one that is spelled with
// escapes is not left out, which costs a second decision and nothing else.
func (w *reducer) object(v gjson.Result, c *reduction, root bool) {
	w.out = append(w.out, '{')
	separate := false
	v.ForEach(func(key, entry gjson.Result) bool {
		name := key.Raw[1 : len(key.Raw)-1]
		if c.drop[name] || c.only != nil && !c.only[name] && !strings.Contains(name, `\`) {
			return true
		}
		if separate {
			w.out = append(w.out, ',')
		}
		separate = true
		w.out = append(w.out, key.Raw...)
		w.out = append(w.out, ':')
		if root && name == "metadata" && entry.IsObject() {
			w.metadata(entry, c.into[name])
			return true
		}
		if c.random && name == "name" && strings.HasPrefix(entry.Raw, tokenVolume) && len(entry.Raw) == len(tokenVolume)+6 {
			w.out = append(append(w.out, tokenVolume...), '"')
			return true
		}
		w.value(entry, c.into[name])
		return true
	})
	w.out = append(w.out, '}')
}

// metadata puts the namespace of the request after whatever the object says: of two equal
// keys the later one counts.
func (w *reducer) metadata(v gjson.Result, c *reduction) {
	w.object(v, c, false)
	w.out = w.out[:len(w.out)-1]
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, `"namespace":`...)
	w.out = gjson.AppendJSONString(w.out, w.namespace)
	w.out = append(w.out, '}')
}

func (w *reducer) list(v gjson.Result, each *reduction) {
	w.out = append(w.out, '[')
	separate := false
	v.ForEach(func(_, element gjson.Result) bool {
		if separate {
			w.out = append(w.out, ',')
		}
		separate = true
		w.value(element, each)
		return true
	})
	w.out = append(w.out, ']')
}
