package hostile

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// toJoin are trees in which much speaks for much: what grows with the product of both takes hours.
func toJoin() map[string]map[string]string {
	deployments := repeat(4000, strings.Replace(strings.Replace("---\n"+program.Limited, "name: cart", "name: cart%d", 1),
		"annotations: {", "labels: {app: a}\n      annotations: {", 1))
	object := func(kind, apiVersion, spec string) string {
		return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: cart%d}\nspec: " + spec + "\n"
	}
	with := func(other string) map[string]string { return map[string]string{"a.yaml": deployments, "b.yaml": other} }
	jvms := repeat(5000, podWith(", envFrom: [{configMapRef: {name: c}}], command: [java, $(JAVA_OPTS)]"))
	patterns := repeat(1000, "{rules: [HR202], name: '*a*%d*', reason: because}, ")
	return map[string]map[string]string{
		"Services of each": with(repeat(20_000, object("Service", "v1", "{selector: {app: a}, ports: [{port: 80, targetPort: %d}]}"))),
		"autoscalers of each": with(repeat(20_000, object("HorizontalPodAutoscaler", "autoscaling/v2",
			"{scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: cart1}, maxReplicas: 3}"))),
		"Ingresses of a Service": with(repeat(20_000, object("Ingress", "networking.k8s.io/v1",
			"{defaultBackend: {service: {name: s, port: {number: 80}}}}")) +
			"---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: a}, ports: [{port: 80}]}\n"),
		"LimitRanges of a namespace": with(repeat(20_000, object("LimitRange", "v1", "{limits: [{type: Container, default: {cpu: '1%d'}}]}"))),
		"one ConfigMap of each": {
			"a.yaml": jvms, "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {JAVA_OPTS: '" +
				strings.Repeat("-Xmx1g -Da=b ", 70_000) + "'}\n",
		},
		"keys of a ConfigMap of each": {
			"a.yaml": jvms, "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {" + repeat(60_000, "K%d: v, ") + "}\n",
		},
		"patterns of a config": {
			"a.yaml": deployments, "headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nignore: [" + patterns + "]\n",
		},
		"comments that ignore": {"a.yaml": repeat(40_000, "# headroom:ignore HR202 because\n") + program.Limited},
		"comments in a file":   {"a.yaml": program.Limited + strings.Repeat("            # headroom:ignore HR202 because\n", 100_000)},
		"a long name of many": {
			"a.yaml": strings.ReplaceAll(strings.Replace(program.Limited, "cart", strings.Repeat("n", megabyte), 1), "      containers:\n",
				"      containers:\n"+repeat(5000, "        - {name: c%d, resources: {limits: {cpu: '2', memory: 1Gi}}}\n")),
		},
		"a long class of many": {
			"a.yaml": strings.ReplaceAll(strings.Replace(program.Limited, "latency-sensitive", strings.Repeat("n", megabyte), 1), "      containers:\n",
				"      containers:\n"+repeat(5000, "        - {name: c%d, resources: {limits: {cpu: '2', memory: 1Gi}}}\n")),
		},
	}
}

// toWait are trees of which each part takes less time than it may.
func toWait() map[string]map[string]string {
	charts := map[string]string{}
	for i := range 400 {
		charts[fmt.Sprintf("c%d/Chart.yaml", i)] = chartOf
		charts[fmt.Sprintf("c%d/templates/a.yaml", i)] = "{{ range until 3000000 }}{{ range until 30 }}{{ end }}{{ end }}"
	}
	charts["a.yaml"] = program.Limited
	bases := map[string]string{"b0/kustomization.yaml": "resources: [a.yaml]\n", "b0/a.yaml": program.Limited}
	for i := 1; i < 22; i++ {
		for _, side := range []string{"l", "r"} {
			bases[fmt.Sprintf("%s%d/kustomization.yaml", side, i)] = fmt.Sprintf("namePrefix: %s-\nresources: [../b%d]\n", side, i-1)
		}
		bases[fmt.Sprintf("b%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../l%d, ../r%d]\n", i, i)
	}
	bases["kustomization.yaml"] = "resources: [b21]\n"
	folders := map[string]string{}
	for i := range 20_000 {
		folders[fmt.Sprintf("%d/a.yaml", i)] = program.Limited
	}
	beside := shopChart("{}\n", `{{ range until 9 }}{{ $x := repeat 50000000 "x" }}{{ end }}`)
	beside["a.yaml"] = toRead()["containers"]["a.yaml"]
	deep := map[string]string{strings.Repeat("a/", 1500) + "a.yaml": program.Limited}
	scripts := map[string]string{}
	for i := range 60 {
		scripts[fmt.Sprintf("a%d.yaml", i)] = strings.ReplaceAll(podWith(", command: [sh, -c, '"+
			repeat(6000, `if [ -n "$A%d" ]; then B="$B $A%d"; fi; `)+"']"), "p%d", fmt.Sprintf("p%d", i))
	}
	return map[string]map[string]string{
		"flags":             {"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, command: [java, " + repeat(300_000, "-XX:A%d=1, ") + "]}]}\n"},
		"variables":         {"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, env: [" + repeat(200_000, "{name: A%d, value: $(A0)}, ") + "]}]}\n"},
		"annotations":       {"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {" + repeat(130_000, "cpu-average.headroom.dev/c%d: x, ") + "}}\nspec: {containers: [{name: a}]}\n"},
		"charts that loop":  charts,
		"bases that double": bases,
		"bases in a circle": {
			"kustomization.yaml": "resources: [a]\n", "a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a]\n",
		},
		"small folders": folders, "containers beside a chart": beside, "a deep folder": deep, "scripts of ifs": scripts,
	}
}
