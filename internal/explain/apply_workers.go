package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// workers changes the number where it stands: a variable, or a word of the command.
func (t *trial) workers(c Change) error {
	p := t.now.Pool
	switch {
	case p == nil || p.Path == "":
		return errors.New("workers: no worker pool is known of it; --workers N draws a timeline of so many")
	case c.Value == "":
		return errors.New("workers=none: a pool without workers does nothing")
	}
	old := strconv.FormatInt(p.Workers, 10)
	if !t.counted(p.Path, old, c.Value) && !t.counted(next(p.Path), old, c.Value) {
		return fmt.Errorf("workers: %s cannot be changed here: its number is put together when the container starts",
			terminal.Printable(p.Source))
	}
	t.say(c.Key, old, c.Value)
	return nil
}

// next leads to the word behind one of a command.
func next(pointer string) string {
	at := strings.LastIndexByte(pointer, '/')
	i, err := strconv.Atoi(pointer[at+1:])
	if err != nil {
		return ""
	}
	return pointer[:at+1] + strconv.Itoa(i+1)
}

// poolOptions say how many workers a program starts, as the policies know them
// (data.headroom.workers.programs).
const poolOptions = `(?:--workers|--processes|--concurrency|-w|-p|-c)`

// counted replaces the number of an option, or a text that is the number and no more.
func (t *trial) counted(pointer, old, now string) bool {
	text, ok := lookup(t.manifest, pointer).(string)
	switch {
	case !ok || pointer == "":
		return false
	case strings.TrimSpace(text) == old:
		return replace(t.manifest, pointer, now)
	}
	option := regexp.MustCompile(`(^|\s)(` + poolOptions + `[ =]*)` + regexp.QuoteMeta(old) + `(\s|[;&|"']|$)`)
	edited := option.ReplaceAllString(text, "${1}${2}"+now+"${3}")
	return edited != text && replace(t.manifest, pointer, edited)
}
