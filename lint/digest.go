package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// digest is that of all in an object that bears on a verdict. Labels and annotations do not,
// but headroom's own: a new version of a chart has another label on every object, and a
// changed ConfigMap another checksum on every pod template.
func digest(manifest map[string]any) string {
	text, err := json.Marshal(pruned(manifest)) // with keys in order
	if err != nil {
		return "" // as if nothing were known of it: it is judged
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// pruned is a copy without what does not bear on a verdict.
func pruned(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, entry := range v {
			meta, is := entry.(map[string]any)
			if key == "metadata" && is {
				out[key] = prunedMetadata(meta)
				continue
			}
			out[key] = pruned(entry)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, entry := range v {
			out[i] = pruned(entry)
		}
		return out
	}
	return value
}

func prunedMetadata(meta map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range meta {
		switch key {
		case "labels":
		case "annotations":
			ours := map[string]any{}
			annotations, _ := value.(map[string]any)
			for name, text := range annotations {
				if strings.Contains(name, "headroom.dev/") {
					ours[name] = text
				}
			}
			out[key] = ours
		default:
			out[key] = value
		}
	}
	return out
}
