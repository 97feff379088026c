//go:build !lean

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the manual pages, for packages of distributions.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write a manual page of each command into a folder",
		Example: "  headroom man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one folder: headroom man FOLDER")
			}
			return nil
		},
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("%s: %w", args[0], cause(err))
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // it has the day of today
			inMarkdown(root)
			made := buildTime()
			header := &doc.GenManHeader{Section: "1", Source: "headroom " + versionString(), Manual: "headroom", Date: &made}
			return doc.GenManTree(root, header, args[0])
		},
	}
}

// inMarkdown rewrites the long texts of a command and of those below it: the pages are made of Markdown. A * is then no
// emphasis, and an indented table stays one.
func inMarkdown(cmd *cobra.Command) {
	for _, next := range cmd.Commands() {
		inMarkdown(next)
	}
	var b strings.Builder
	for line := range strings.Lines(cmd.Long) {
		if strings.HasPrefix(line, "  ") {
			b.WriteString("    " + line)
			continue
		}
		b.WriteString(strings.ReplaceAll(line, "*", `\*`))
	}
	cmd.Long = b.String()
}

// buildTime is that of the commit, so that one version's pages are the same everywhere; SOURCE_DATE_EPOCH, in seconds
// since 1970, says it where the program does not know.
func buildTime() time.Time {
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC()
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key != "vcs.time" {
				continue
			}
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
				return at
			}
		}
	}
	return time.Unix(0, 0).UTC()
}

// kubectlCompletion is what kubectl runs to complete a plugin.
const kubectlCompletion = `#!/bin/sh
# kubectl runs this to complete "kubectl headroom". It stands in PATH as kubectl_complete-headroom.
exec kubectl-headroom __complete "$@"
`

// kubectlCompletionCommand prints that program.
func kubectlCompletionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kubectl",
		Short: "Print the program that completes kubectl headroom",
		Long: `Print the program that completes kubectl headroom. kubectl looks for it in PATH, and for kubectl-headroom
beside it:

  headroom completion kubectl > ~/.local/bin/kubectl_complete-headroom
  chmod +x ~/.local/bin/kubectl_complete-headroom`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), kubectlCompletion)
			return err
		},
	}
}
