package settings

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/headroom-dev/headroom/policies"
)

// sound says whether a document is what a schema asks for. It compiles nothing, which takes a library 6 ms, and does not
// say what is wrong: told does. Keywords that it does not know are told's, too.
func sound(against string, document any) (bool, error) {
	text, err := policies.Files.ReadFile("schema/" + against)
	if err != nil {
		return false, fmt.Errorf("read the config schema: %w", err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		return false, fmt.Errorf("read the config schema: %w", err)
	}
	definitions, _ := schema["$defs"].(map[string]any)
	return checker{definitions, map[string]*regexp.Regexp{}}.holds(schema, document), nil
}

// checker has the definitions of a schema, and those of its patterns that were needed.
type checker struct {
	definitions map[string]any
	patterns    map[string]*regexp.Regexp
}

func (c checker) holds(schema, value any) bool {
	switch v := value.(type) { // YAML has integers, and JSON numbers alone
	case int:
		value = float64(v)
	case int64:
		value = float64(v)
	case uint64:
		value = float64(v)
	}
	keywords, ok := schema.(map[string]any)
	if !ok {
		return schema == true
	}
	for keyword, asked := range keywords {
		if !c.keyword(keyword, asked, keywords, value) {
			return false
		}
	}
	return true
}

func (c checker) keyword(keyword string, asked any, all map[string]any, value any) bool {
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description", "default", "format", "examples":
		return true // these assert nothing
	case "$ref":
		name, _ := strings.CutPrefix(asked.(string), "#/$defs/")
		return c.holds(c.definitions[name], value)
	case "type":
		return isType(asked, value)
	case "const":
		return reflect.DeepEqual(asked, value)
	case "enum":
		return slices.ContainsFunc(asked.([]any), func(one any) bool { return reflect.DeepEqual(one, value) })
	case "anyOf", "oneOf":
		n := 0
		for _, one := range asked.([]any) {
			if c.holds(one, value) {
				n++
			}
		}
		return n == 1 || n > 1 && keyword == "anyOf"
	}
	switch value := value.(type) {
	case map[string]any:
		return c.object(keyword, asked, all, value)
	case []any:
		return c.list(keyword, asked, value)
	case string:
		return c.text(keyword, asked, value)
	case float64:
		return isNumber(keyword, asked, value)
	}
	return known(keyword, objects, lists, texts, numbers)
}

// Keywords of one type say nothing of a value of another.
var (
	objects = []string{"properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"}
	lists   = []string{"items", "minItems", "maxItems"}
	texts   = []string{"pattern", "minLength", "maxLength"}
	numbers = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
)

func known(keyword string, others ...[]string) bool {
	return slices.ContainsFunc(others, func(list []string) bool { return slices.Contains(list, keyword) })
}

func (c checker) object(keyword string, asked any, all, value map[string]any) bool {
	properties, _ := all["properties"].(map[string]any)
	switch keyword {
	case "properties":
		for name, schema := range properties {
			if entry, there := value[name]; there && !c.holds(schema, entry) {
				return false
			}
		}
		return true
	case "required":
		return !slices.ContainsFunc(asked.([]any), func(name any) bool { _, there := value[name.(string)]; return !there })
	case "additionalProperties":
		for name, entry := range value {
			if _, named := properties[name]; !named && !c.holds(asked, entry) {
				return false
			}
		}
		return true
	case "propertyNames":
		for name := range value {
			if !c.holds(asked, name) {
				return false
			}
		}
		return true
	case "minProperties":
		return float64(len(value)) >= asked.(float64)
	case "maxProperties":
		return float64(len(value)) <= asked.(float64)
	}
	return known(keyword, lists, texts, numbers)
}

func (c checker) list(keyword string, asked any, value []any) bool {
	switch keyword {
	case "items":
		return !slices.ContainsFunc(value, func(entry any) bool { return !c.holds(asked, entry) })
	case "minItems":
		return float64(len(value)) >= asked.(float64)
	case "maxItems":
		return float64(len(value)) <= asked.(float64)
	}
	return known(keyword, objects, texts, numbers)
}

func (c checker) text(keyword string, asked any, value string) bool {
	switch keyword {
	case "pattern":
		pattern := asked.(string)
		if c.patterns[pattern] == nil {
			c.patterns[pattern] = regexp.MustCompile(pattern)
		}
		return c.patterns[pattern].MatchString(value)
	case "minLength":
		return float64(utf8.RuneCountInString(value)) >= asked.(float64)
	case "maxLength":
		return float64(utf8.RuneCountInString(value)) <= asked.(float64)
	}
	return known(keyword, objects, lists, numbers)
}

func isNumber(keyword string, asked any, value float64) bool {
	bound, _ := asked.(float64)
	switch keyword {
	case "minimum":
		return value >= bound
	case "maximum":
		return value <= bound
	case "exclusiveMinimum":
		return value > bound
	case "exclusiveMaximum":
		return value < bound
	}
	return known(keyword, objects, lists, texts)
}

// isType tells the types of JSON; an integer is a number without a fraction.
func isType(asked, value any) bool {
	if several, ok := asked.([]any); ok {
		return slices.ContainsFunc(several, func(one any) bool { return isType(one, value) })
	}
	switch value := value.(type) {
	case map[string]any:
		return asked == "object"
	case []any:
		return asked == "array"
	case string:
		return asked == "string"
	case float64:
		return !math.IsInf(value, 0) && (asked == "number" || asked == "integer" && value == math.Trunc(value))
	case bool:
		return asked == "boolean"
	case nil:
		return asked == "null"
	}
	return false
}
