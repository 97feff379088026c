package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/words"
)

// unknownFlag says what was meant, as far as that can be told, or names the help that has the flags.
func unknownFlag(cmd *cobra.Command, err error) error {
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		if meant := meantFlag(cmd, unknown); meant != "" {
			return fmt.Errorf("%w; %s", err, meant)
		}
		return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
	}
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) && invalid.GetFlag() != nil {
		return fmt.Errorf("%s; %s --help says what it takes", words.WithoutGo(err.Error()), cmd.CommandPath())
	}
	return err
}

// habits are flags of kubectl that commands with manifests do otherwise.
var habits = map[string]string{"f": "", "filename": "", "k": "kustomize", "R": "recursive", "recursive": "recursive"}

// meantFlag is what to type in the place of a flag that does not exist; "" where nothing is near.
func meantFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		name = name[:1]
	}
	if habit, known := habits[name]; known && cmd.Flags().Lookup("kustomize") != nil {
		switch habit {
		case "kustomize":
			return fmt.Sprintf("a kustomization is named as %s --kustomize DIR", cmd.CommandPath())
		case "recursive":
			return "folders are read with all that is below them: leave it out"
		}
		return fmt.Sprintf("files are named without a flag: %s FILE", cmd.CommandPath())
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	if near := nearestFlag(cmd.Flags(), name); near != "" {
		return "did you mean --" + near + "?"
	}
	return ""
}

// nearestFlag is the flag that a typo is closest to; one without dashes, or a beginning, is near, too.
func nearestFlag(flags *pflag.FlagSet, typed string) string {
	plain := func(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "") }
	best, distance := "", len(typed)/4+2
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		d := levenshtein.ComputeDistance(plain(typed), plain(f.Name))
		if len(typed) > 3 && strings.HasPrefix(plain(f.Name), plain(typed)) {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = f.Name, d
		}
	})
	return best
}

// meantCommand is what to say of a command that does not exist: the one that was meant, or where the commands are listed.
func meantCommand(root *cobra.Command, err error) string {
	var typed string
	if _, scanned := fmt.Sscanf(err.Error(), "unknown command %q for \""+root.CommandPath()+"\"", &typed); scanned != nil {
		return ""
	}
	best, distance := "", len(typed)/4+2
	for _, command := range root.Commands() {
		if !command.IsAvailableCommand() {
			continue
		}
		d := levenshtein.ComputeDistance(strings.ToLower(typed), command.Name())
		if len(typed) > 2 && strings.HasPrefix(command.Name(), strings.ToLower(typed)) {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = command.Name(), d
		}
	}
	if best == "" {
		return "; " + root.CommandPath() + " --help lists the commands"
	}
	return "; did you mean " + root.CommandPath() + " " + best + "?"
}

// noArguments refuses words behind a command that takes flags alone.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and was given %q", cmd.CommandPath(), args[0])
}

// bytesValue is a number of bytes as Kubernetes writes it: 500000, 500k, 8Mi.
type bytesValue int64

func (b *bytesValue) String() string { return fmt.Sprint(int64(*b)) }
func (b *bytesValue) Type() string   { return "bytes" }

func (b *bytesValue) Set(text string) error {
	q, err := resource.ParseQuantity(text)
	if err != nil || q.Sign() < 0 || q.MilliValue()%1000 != 0 {
		return errors.New("not a size such as 500000, 500k or 8Mi")
	}
	*b = bytesValue(q.Value())
	return nil
}
