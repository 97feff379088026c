//go:build !js

package explain

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// KindNamed finds a kind of workload by any name that kubectl knows it by.
func KindNamed(name string) (cluster.Kind, bool) {
	name = strings.ToLower(name)
	for _, k := range cluster.Kinds {
		switch name {
		case strings.ToLower(k.Kind), k.Resource, k.Resource + "." + k.Group, shortNames[k.Resource]:
			return k, true
		}
	}
	return cluster.Kind{}, false
}

// shortNames are those of kubectl api-resources.
var shortNames = map[string]string{
	"deployments": "deploy", "statefulsets": "sts", "daemonsets": "ds", "cronjobs": "cj",
	"replicationcontrollers": "rc", "replicasets": "rs", "pods": "po",
}
