package plan

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// expressions are the regular expressions in use. The policies have two hundred of their own, twice
// what OPA's cache holds, and a configuration may bring more: then all are forgotten.
var expressions = struct {
	sync.RWMutex
	known  map[string]*expression
	listed patterns // of the image that was opened last
}{known: map[string]*expression{}}

const maxExpressions = 1000

// expression is a regular expression, with texts of which each match has one: most texts have none, and
// looking for them takes a tenth of the time. It is compiled when a text has one.
type expression struct {
	needles []needle // none where nothing is known
	regexp  func() *regexp.Regexp
}

type needle struct {
	text string
	fold bool // upper and lower case are the same
}

// compiled gives a compiled pattern, nil if it is not a valid one.
func compiled(text string) *expression {
	expressions.RLock()
	e, listed := expressions.known[text], expressions.listed
	expressions.RUnlock()
	if e != nil {
		return e
	}
	needles, ok := listed.needlesOf(text)
	if !ok {
		parsed, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			return nil
		}
		needles = needlesOf(parsed)
	}
	e = &expression{needles, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	expressions.Lock()
	defer expressions.Unlock()
	if len(expressions.known) >= maxExpressions {
		clear(expressions.known)
	}
	expressions.known[text] = e
	return e
}

// needlesOf finds texts of which every match of a pattern has at least one.
func needlesOf(re *syntax.Regexp) []needle {
	const most = 8 // of which more would take as long as the pattern
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		fold := re.Flags&syntax.FoldCase != 0
		if fold && !ascii(text) {
			return nil
		}
		return []needle{{text, fold}}
	case syntax.OpCapture, syntax.OpPlus:
		return needlesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needlesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if found := needlesOf(sub); shortest(found) > shortest(best) {
				best = found
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			found := needlesOf(sub)
			if found == nil || len(all)+len(found) > most {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
}

func shortest(needles []needle) int {
	least := 0
	for i, n := range needles {
		if i == 0 || len(n.text) < least {
			least = len(n.text)
		}
	}
	return least
}

// cannot says whether there is no match in a text, for certain.
func (e *expression) cannot(text string) bool {
	if len(e.needles) == 0 {
		return false
	}
	for _, n := range e.needles {
		if n.fold && (!ascii(text) || containsFold(text, n.text)) || !n.fold && strings.Contains(text, n.text) {
			return false
		}
	}
	return true
}

// containsFold is for ASCII: there are other letters that fold to some of it.
func containsFold(text, part string) bool {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i]|' ' == part[0]|' ' && strings.EqualFold(text[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func regexMatch(pattern, text string) (Value, bool) {
	re := compiled(pattern)
	if re == nil {
		return nil, false
	}
	return !re.cannot(text) && re.regexp().MatchString(text), true
}

func regexFind(pattern, text string, most int64) (Value, bool) {
	return matches(pattern, text, most, func(re *regexp.Regexp, s string, n int) *Array {
		return stringArray(re.FindAllString(s, n))
	})
}

func regexSubmatches(pattern, text string, most int64) (Value, bool) {
	return matches(pattern, text, most, func(re *regexp.Regexp, s string, n int) *Array {
		found := re.FindAllStringSubmatch(s, n)
		items := make([]Value, len(found))
		for i, groups := range found {
			items[i] = stringArray(groups)
		}
		return &Array{items}
	})
}

// matches gives what is found of a pattern in a text, and no more than that many.
func matches(pattern, text string, most int64, find func(re *regexp.Regexp, s string, n int) *Array) (Value, bool) {
	re := compiled(pattern)
	if re == nil {
		return nil, false
	}
	if re.cannot(text) {
		return &Array{}, true
	}
	return find(re.regexp(), text, int(most)), true
}

func regexSplit(pattern, text string) (Value, bool) {
	re := compiled(pattern)
	if re == nil {
		return nil, false
	}
	return stringArray(re.regexp().Split(text, -1)), true
}

func regexReplace(text, pattern, replacement string) (Value, bool) {
	re := compiled(pattern)
	if re == nil {
		return nil, false
	}
	if re.cannot(text) {
		return text, true
	}
	return re.regexp().ReplaceAllString(text, replacement), true
}
