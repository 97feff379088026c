package explain

import "strings"

// namedKinds are the workloads that run by themselves, as kubectl api-resources has them: kind, group, short name.
var namedKinds = []struct{ kind, group, short string }{
	{"Deployment", "apps", "deploy"},
	{"StatefulSet", "apps", "sts"},
	{"DaemonSet", "apps", "ds"},
	{"CronJob", "batch", "cj"},
	{"ReplicationController", "", "rc"},
	{"ReplicaSet", "apps", "rs"},
	{"Job", "batch", ""},
	{"Pod", "", "po"},
}

// kindNamed finds a kind of workload by any name that kubectl knows it by; "" for other names.
func kindNamed(name string) string {
	name = strings.ToLower(name)
	for _, k := range namedKinds {
		singular := strings.ToLower(k.kind)
		switch name {
		case "":
			return ""
		case singular, singular + "s", singular + "s." + k.group, k.short:
			return k.kind
		}
	}
	return ""
}
