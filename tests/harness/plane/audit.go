package plane

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// AuditEventsThat are those of which a test wants to know. An event is written when its request
// has been answered: who has the answer may have to wait for it.
func (p *Plane) AuditEventsThat(wanted func(*AuditEvent) bool) ([]AuditEvent, error) {
	file, err := os.Open(p.auditLog())
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var events []AuditEvent
	// An event carries annotations of any size that admission writes.
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return events, nil // what is left is a line that is being written
		}
		if err != nil {
			return nil, fmt.Errorf("read audit log: %w", err)
		}
		var event AuditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return nil, fmt.Errorf("read audit log: %w", err)
		}
		if wanted(&event) {
			events = append(events, event)
		}
	}
}
