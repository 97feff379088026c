package webhook

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	controllerlog "sigs.k8s.io/controller-runtime/pkg/log"
)

// NewLogger writes JSON lines at or above a level: debug, info, warn or error. What
// client-go and controller-runtime log goes there too.
func NewLogger(w io.Writer, level string) (logr.Logger, error) {
	handler, err := newHandler(w, level)
	if err != nil {
		return logr.Logger{}, err
	}
	log := logr.FromSlogHandler(handler)
	klog.SetSlogLogger(slog.New(handler).With("logger", "client-go"))
	controllerlog.SetLogger(log)
	return log, nil
}

func newHandler(w io.Writer, level string) (slog.Handler, error) {
	var at slog.Level
	if err := at.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level %q is not one of debug, info, warn, error", level)
	}
	// logr's V(1) is slog's -1, just below info: debug shows that and what is finer.
	return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: at}), nil
}
