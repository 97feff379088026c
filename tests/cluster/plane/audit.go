package plane

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// AuditEvent is what the API server noted about one request.
type AuditEvent struct {
	Verb       string `json:"verb"`
	UserAgent  string `json:"userAgent"`
	RequestURI string `json:"requestURI"`
	ObjectRef  struct {
		Resource, Subresource, Namespace, Name string
	} `json:"objectRef"`
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	ImpersonatedUser struct {
		Username string `json:"username"`
	} `json:"impersonatedUser"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	Annotations map[string]string `json:"annotations"`
}

// AuditEvents are the audit log's events about workloads and Pods of some namespaces.
func (p *Plane) AuditEvents(namespaces ...string) ([]AuditEvent, error) {
	return p.AuditEventsThat(func(event *AuditEvent) bool {
		return slices.Contains(namespaces, event.ObjectRef.Namespace)
	})
}

// AuditEventsThat are those of which a test wants to know.
func (p *Plane) AuditEventsThat(wanted func(*AuditEvent) bool) ([]AuditEvent, error) {
	file, err := os.Open(p.auditLog())
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var events []AuditEvent
	lines := bufio.NewScanner(file)
	// An event carries annotations of any size that admission writes.
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var event AuditEvent
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("read audit log: %w", err)
		}
		if wanted(&event) {
			events = append(events, event)
		}
	}
	return events, lines.Err()
}
