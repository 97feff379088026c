package main

import (
	"slices"
	"testing"
)

func TestADraft(t *testing.T) {
	var d draft
	d.read("Dockerfile", "FROM eclipse-temurin:21-jre AS run\nENV HEAP_OPTS=\"-Xmx1g\"\nENTRYPOINT [\"/start.sh\"]\n")
	d.read("start.sh", `#!/bin/sh
: "${MAX_MEMORY:=3072m}"
GC_TUNE="-XX:+UseG1GC"
exec java -Xmx$MAX_MEMORY $GC_TUNE ${EXTRA_OPTS} -jar $HOME/app.jar
`)
	want := `# A draft. Its bases: eclipse-temurin:21-jre.
NAME:
  - names: [REPOSITORY]
    read:
      - {repository: OWNER/NAME, path: Dockerfile, tag: TAG}
      - {repository: OWNER/NAME, path: start.sh, tag: TAG}
    runtime: jvm
    java:
      - {tag: '', least: 8}
    entrypoint: [/start.sh]
    line:
      - {size: MAX_MEMORY, becomes: "-Xmx{}", default: "3072m"}
      - {variable: GC_TUNE, default: "-XX:+UseG1GC"}
      - {variable: EXTRA_OPTS}
    examples:
      - {image: "IMAGE", line: "LINE"}
`
	if got := d.String(); got != want {
		t.Errorf("draft:\n%s\nwant:\n%s", got, want)
	}
}

// In shell form the line is the entrypoint itself.
func TestADraftOfAShell(t *testing.T) {
	for _, entrypoint := range []string{
		`ENTRYPOINT exec java $JAVA_OPTS -Xss512k ${EXTRA} -jar /app.jar $ARGS`,
		`ENTRYPOINT ["sh", "-c", "java $JAVA_OPTS -Xss512k ${EXTRA} -jar /app.jar $ARGS"]`,
	} {
		var d draft
		d.read("Dockerfile", "FROM temurin\nENV JAVA_OPTS=\"-Xmx1g\"\n"+entrypoint+"\n")
		want := []string{`{variable: JAVA_OPTS, default: "-Xmx1g"}`, `{options: "-Xss512k"}`, "{variable: EXTRA}"}
		if !slices.Equal(d.parts, want) || len(d.entrypoints) > 0 {
			t.Errorf("%s: %q, entrypoint %q", entrypoint, d.parts, d.entrypoints)
		}
	}
}
