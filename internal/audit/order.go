package audit

import (
	"cmp"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

func byResource(a, b engine.Resource) int {
	return cmp.Or(
		strings.Compare(a.Cluster, b.Cluster),
		strings.Compare(a.Namespace, b.Namespace),
		strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.APIVersion, b.APIVersion),
	)
}
