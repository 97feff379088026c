package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

func rulesCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules [ID…]",
		Short: "List the rules, or explain some with their rationale and examples",
		Example: `  headroom rules
  headroom rules HR303 HR304
  headroom rules latency-cpu-limit`,
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := engine.Rules()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				if rules, err = pick(rules, args); err != nil {
					return err
				}
			}
			return writeRules(cmd.OutOrStdout(), rules, format, len(args) > 0)
		},
		ValidArgsFunction: completeRules,
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", "output `FORMAT`: text, markdown or json")
	return completed(cmd, map[string][]string{"output": {"text", "markdown", "json"}})
}

func completeRules(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	rules, err := engine.Rules()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, r := range rules {
		if !slices.Contains(args, r.ID) {
			names = append(names, r.ID+"\t"+r.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// pick finds rules by ID, in any case, or slug.
func pick(rules []engine.Rule, names []string) ([]engine.Rule, error) {
	var picked []engine.Rule
	for _, name := range names {
		rule, err := lint.RuleNamed(rules, name)
		if err != nil {
			return nil, err
		}
		picked = append(picked, rule)
	}
	return picked, nil
}

func writeRules(w io.Writer, rules []engine.Rule, format string, whole bool) error {
	switch format {
	case "json":
		return writeJSON(w, rules)
	case "markdown":
		if whole {
			return writeWhole(w, rules, engine.Rule.Page)
		}
		_, err := io.WriteString(w, engine.Table(rules, ""))
		return err
	case "text":
		if whole {
			return writeWhole(w, rules, engine.Rule.Text)
		}
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		// A tabwriter keeps its first error for Flush.
		_, _ = fmt.Fprintln(table, "RULE\tSEVERITY\tFIX\tNAME\tTITLE")
		for _, r := range rules {
			fix := ""
			if r.Fixable {
				fix = "yes"
			}
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Severity, fix, r.Slug, r.Title)
		}
		return table.Flush()
	default:
		return fmt.Errorf("output format %q is not one of text, markdown, json", format)
	}
}

// writeWhole writes all there is to say of each rule.
func writeWhole(w io.Writer, rules []engine.Rule, text func(engine.Rule) string) error {
	var all []string
	for _, r := range rules {
		all = append(all, text(r))
	}
	_, err := io.WriteString(w, strings.Join(all, "\n"))
	return err
}
