package collect

// Everything that is run in a container is here. The scripts use what every shell has built in and
// start no other program. So they work in the smallest images and take next to no memory of a
// container that may have little left. Nothing is written.

// readFiles prints each of its arguments that is a readable file, below a line with its name.
// No file that is read so has more lines.
const readFiles = `for f do
	[ -r "$f" ] && [ -f "$f" ] || continue
	printf '==> %s <==\n' "$f"
	n=0
	while [ "$n" -lt 300 ] && IFS= read -r l; do printf '%s\n' "$l"; n=$((n + 1)); done <"$f"
done 2>/dev/null; :`

// listProcesses prints PID and name of the processes of this container, which are those in the
// shell's own cgroup or below (a Pod may share its processes among its containers). It then prints
// the PIDs for which HotSpot keeps counters.
const listProcesses = `own=
read -r own </proc/self/cgroup
m=0
for d in /proc/[0-9]*; do
	[ "$m" -lt 2000 ] || break
	m=$((m + 1))
	c=
	n=
	read -r c <"$d/cgroup" || continue
	case $c in "$own"*/../*) continue ;; "$own"*) ;; *) continue ;; esac
	read -r n <"$d/comm" || continue
	printf '%s %s\n' "${d##*/}" "$n"
done 2>/dev/null
for f in /tmp/hsperfdata_*/[0-9]*; do
	[ -r "$f" ] && printf '%s +counters\n' "${f##*/}"
done 2>/dev/null; :`

// readCounters prints HotSpot's counters of a PID, which are binary: the shell alone cannot.
const readCounters = `for f in /tmp/hsperfdata_*/"$1"; do
	[ -r "$f" ] || continue
	exec cat "$f"
done
echo "there is no /tmp/hsperfdata_*/$1 (-XX:-UsePerfData, or a /tmp of its own)" >&2
exit 3`

// askJVM runs jcmd, which is a JVM itself. It is as small as possible and runs without the
// container's variables, whose options could make it take a gigabyte or a port. All questions go
// into one jcmd. JAVA_HOME is the image's.
const askJVM = `unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
j=
e=$(readlink "/proc/$1/exe" 2>/dev/null) && j=${e%/*}/jcmd
[ -x "$j" ] || j=$JAVA_HOME/bin/jcmd
[ -x "$j" ] || j=$(command -v jcmd)
[ -x "$j" ] || exit 127
t=
command -v timeout >/dev/null && t='timeout 15'
printf '%s\n' VM.flags 'VM.native_memory summary' GC.heap_info |
	$t "$j" -J-Xmx32m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-XX:-UsePerfData "$1" -f /dev/stdin`

// cgroupPaths are where the files are, in both versions; v1's controllers may be mounted
// together or alone.
func cgroupPaths() []string {
	const root = "/sys/fs/cgroup/"
	paths := []string{}
	for _, name := range v2Files {
		paths = append(paths, root+name)
	}
	for _, at := range []string{"cpu/", "cpu,cpuacct/", "cpuacct,cpu/"} {
		for _, name := range v1CPU {
			paths = append(paths, root+at+name)
		}
	}
	for _, name := range v1Memory {
		paths = append(paths, root+"memory/"+name)
	}
	return append(paths, root+"cpuset/cpuset.cpus", root+"pids/pids.current")
}

// nodePaths are the same for every container of a node, and do not change.
var nodePaths = []string{"/proc/sys/kernel/osrelease", "/sys/devices/system/cpu/online"}
