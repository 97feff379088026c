package plane

import (
	"fmt"
	"os"
	"strings"
)

// Diagnosis says what each Pod of the webhook waits for, and what its process printed last:
// for the message of a test that fails.
func (p *Plane) Diagnosis() string {
	if p.kubelet == nil {
		return ""
	}
	p.kubelet.mutex.Lock()
	defer p.kubelet.mutex.Unlock()
	var text strings.Builder
	for _, r := range p.kubelet.pods {
		r.mutex.Lock()
		fmt.Fprintf(&text, "pod %s: ready %t, %d restarts", r.pod.Name, r.state.ready, r.restarts)
		if r.problem != nil {
			fmt.Fprintf(&text, ": %v", r.problem)
		}
		text.WriteString("\n")
		if r.process != nil {
			text.WriteString(tail(r.process.Log, 15))
		}
		r.mutex.Unlock()
	}
	return text.String()
}

// tail is the end of a file, indented.
func tail(file string, lines int) string {
	content, _ := os.ReadFile(file)
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	all = all[max(0, len(all)-lines):]
	return "  " + strings.Join(all, "\n  ") + "\n"
}
