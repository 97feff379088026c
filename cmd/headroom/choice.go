package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// colors are the values of --color.
var colors = []string{"auto", "always", "never"}

// colorFlag is --color, which takes nothing but those.
type colorFlag string

func (c *colorFlag) String() string { return string(*c) }
func (c *colorFlag) Type() string   { return "string" }

func (c *colorFlag) Set(text string) error {
	if !slices.Contains(colors, text) {
		return errors.New("it is not one of " + strings.Join(colors, ", "))
	}
	*c = colorFlag(text)
	return nil
}

func (c *colorFlag) add(flags *pflag.FlagSet, where string) {
	*c = colorFlag(colors[0])
	flags.Var(c, "color", "colour in "+where+": auto, always or never")
}

// completed makes the shell offer values for those of a command's flags that have few.
func completed(cmd *cobra.Command, values map[string][]string) *cobra.Command {
	if cmd.Flags().Lookup("color") != nil {
		values["color"] = colors
	}
	for name, list := range values {
		_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) (
			[]string, cobra.ShellCompDirective,
		) {
			if strings.Contains(typed, "=") { // -o FORMAT=FILE
				return nil, cobra.ShellCompDirectiveDefault
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		}) // the flag is there
	}
	return cmd
}

// group makes cmd refuse any argument that is not one of its subcommands.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		var names []string
		for _, child := range cmd.Commands() {
			if child.IsAvailableCommand() {
				names = append(names, child.Name())
			}
		}
		return fmt.Errorf("%s has no %q; there are %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
	}
	return cmd
}

// there says of a file that a flag or an argument names, and that does not exist, the same
// everywhere.
func there(file string) error {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no such file or folder", file)
	}
	return nil
}

// maxTold bounds what is named one by one.
const maxTold = 3
