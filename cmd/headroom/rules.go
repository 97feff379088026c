package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/policies/engine"
)

func rulesCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or explain one with its rationale and examples",
		Example: `  headroom rules
  headroom rules HR303
  headroom rules latency-cpu-limit`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := engine.Rules()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				if rules, err = pick(rules, args[0]); err != nil {
					return err
				}
			}
			return writeRules(cmd.OutOrStdout(), rules, format, len(args) == 1)
		},
		ValidArgsFunction: completeRules,
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", "output `FORMAT`: text, markdown or json")
	return cmd
}

func completeRules(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	rules, err := engine.Rules()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, r := range rules {
		names = append(names, r.ID+"\t"+r.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// pick finds a rule by its ID, in any case, or its slug.
func pick(rules []engine.Rule, name string) ([]engine.Rule, error) {
	for _, r := range rules {
		if strings.EqualFold(r.ID, name) || r.Slug == name {
			return []engine.Rule{r}, nil
		}
	}
	return nil, fmt.Errorf("there is no rule %q; `headroom rules` lists them", name)
}

func writeRules(w io.Writer, rules []engine.Rule, format string, whole bool) error {
	switch format {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rules)
	case "markdown":
		if whole {
			_, err := io.WriteString(w, rules[0].Page())
			return err
		}
		_, err := io.WriteString(w, engine.Table(rules, ""))
		return err
	case "text":
		if whole {
			_, err := io.WriteString(w, rules[0].Text())
			return err
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
