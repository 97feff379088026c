package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when a release is built: -ldflags "-X main.version=v1.2.3".
var version = ""

// versionString is the release, or for a build of a checkout the module's version.
func versionString() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

func versionCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of headroom and of the policy engine in it",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch format {
			case "json":
				return writeJSON(cmd.OutOrStdout(), map[string]string{
					"version": versionString(), "opa": opaVersion(), "go": runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			case "text":
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "headroom %s (OPA %s, %s, %s/%s)\n",
					versionString(), opaVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
				return err
			}
			return fmt.Errorf("output format %q is not one of text, json", format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "output `FORMAT`: text or json")
	return completed(cmd, map[string][]string{"output": {"text", "json"}})
}

func opaVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/open-policy-agent/opa" {
			return module.Version
		}
	}
	return "unknown"
}
