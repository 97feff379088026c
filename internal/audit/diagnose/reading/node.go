package reading

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// node reads what the node is: its kernel, and how many of its CPUs the container may run on.
func (r *reader) node() {
	if text, found := r.files[Kernel]; found {
		if release, err := kernelRelease(text); err != nil {
			r.broken(Kernel, err)
		} else {
			r.facts.Read["kernel"] = release
		}
	}
	for _, file := range []struct{ name, key string }{{CPUs, "cpus"}, {CPUsV1, "cpus"}, {Online, "cpus_node"}} {
		at, text, found := r.newest(file.name)
		if !found {
			continue
		}
		if n, err := cpus(text); err != nil {
			r.broken(at, err)
		} else {
			r.facts.Read[file.key] = n
		}
	}
}

var release = regexp.MustCompile(`^(\d{1,3})\.(\d{1,3})(?:[.+~_-][\w.+~-]{0,60})?$`)

// kernelRelease is what uname -r says, and its first two numbers.
func kernelRelease(text string) (map[string]any, error) {
	text = strings.TrimSpace(text)
	match := release.FindStringSubmatch(text)
	if match == nil {
		return nil, fmt.Errorf("%s is not a release of Linux, such as 6.1.0", shown(text))
	}
	major, _ := strconv.ParseInt(match[1], 10, 64)
	minor, _ := strconv.ParseInt(match[2], 10, 64)
	return map[string]any{"release": text, "major": major, "minor": minor}, nil
}

// mostCPUs is more than Linux can be built for.
const mostCPUs = 1 << 16

var cpuRange = regexp.MustCompile(`^(\d{1,5})(?:-(\d{1,5}))?$`)

// cpus counts those of a list as the kernel prints it: 0-3,8.
func cpus(text string) (int64, error) {
	text = strings.TrimSpace(text)
	n := int64(0)
	for part := range strings.SplitSeq(text, ",") {
		match := cpuRange.FindStringSubmatch(part)
		if match == nil {
			return 0, fmt.Errorf("%s is not a list of CPUs, such as 0-3", shown(text))
		}
		first, _ := strconv.ParseInt(match[1], 10, 64)
		last := first
		if match[2] != "" {
			last, _ = strconv.ParseInt(match[2], 10, 64)
		}
		if last < first {
			return 0, fmt.Errorf("%s is not a list of CPUs, such as 0-3", shown(text))
		}
		if n += last - first + 1; n > mostCPUs {
			return 0, errors.New("it lists more CPUs than any machine has: the file is damaged")
		}
	}
	return n, nil
}
