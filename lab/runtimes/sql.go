package main

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// sql are what Debian has of PostgreSQL and MariaDB, under a memory limit of 256 MiB.
func sql(ctx context.Context) ([]record.Runtime, error) {
	const mebi = 256
	postgresql, err := versionOf(ctx, "psql", "--version")
	if err != nil {
		return nil, err
	}
	mariadb, err := versionOf(ctx, "mariadbd", "--version")
	if err != nil {
		return nil, err
	}
	var trials []trial
	for _, of := range []struct {
		shared, work string
		connections  int
	}{{"256MB", "4MB", 0}, {"192MB", "4MB", 0}, {"64MB", "4MB", 0}, {"64MB", "64MB", 4}, {"64MB", "4MB", 4}} {
		what := "OOMKilled with shared_buffers=" + of.shared + ", filled"
		command := []any{"postgres", "-c", "shared_buffers=" + of.shared}
		if of.connections > 0 {
			what = fmt.Sprintf("%s, and %d connections that sort with work_mem=%s", what, of.connections, of.work)
			command = append(command, "-c", "work_mem="+of.work, "-c", fmt.Sprintf("max_connections=%d", of.connections))
		}
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R60", Program: "PostgreSQL", Version: postgresql, MemoryMiB: mebi, Unit: "kills", What: what,
				Container: map[string]any{"command": command},
			},
			command: []string{"sh", "-c", sorting, "sh", of.shared, of.work, fmt.Sprint(of.connections)},
		})
	}
	for _, pool := range []string{"256M", "205M", "154M"} {
		trials = append(trials, trial{
			Runtime: record.Runtime{
				Fact: "R62", Program: "MariaDB", Version: mariadb, MemoryMiB: mebi, Unit: "kills",
				What:      "OOMKilled with innodb-buffer-pool-size=" + pool + ", filled",
				Container: map[string]any{"command": []any{"mariadbd", "--innodb-buffer-pool-size=" + pool}},
			},
			command: []string{"sh", "-c", paging, "sh", pool},
		})
	}
	return all(ctx, trials)
}

// sorting starts PostgreSQL with shared buffers of a size ($1), reads a table of 350 MB into them, and sorts in
// connections ($3) with working memory of a size ($2).
const sorting = `d=$(mktemp -d /tmp/runtimes-XXXXXX); chown postgres $d; b=$(ls -d /usr/lib/postgresql/*/bin | tail -1); cd /
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
as $b/initdb -D $d/data -A trust -N >/dev/null || exit 1
setpriv --reuid postgres --regid postgres --clear-groups $b/postgres -D $d/data -k $d -c listen_addresses= \
  -c shared_buffers=$1 -c work_mem=$2 -c max_connections=20 -c max_wal_size=4GB -c fsync=off -c autovacuum=off \
  -c restart_after_crash=off >/dev/null 2>&1 &
p=$!
q() { as $b/psql -h $d -qAt -c "$1" postgres >/dev/null 2>&1; }
for i in $(seq 40); do q 'select 1' && break; sleep 0.25; done
q "create extension pg_prewarm"
q "create table t as select g, repeat('x', 1000) from generate_series(1, 350000) g"
q "select pg_prewarm('t', 'buffer')"
w=""
for i in $(seq $3); do q "select count(*) from (select random() r from generate_series(1, 1500000) order by r) s" & w="$w $!"; done
for i in $w; do wait $i; done
kill -QUIT $p 2>/dev/null; wait $p; rm -rf $d; exit 0`

// paging starts MariaDB with a buffer pool of a size ($1), and fills it.
const paging = `d=$(mktemp -d /tmp/runtimes-XXXXXX); chown mysql $d
mariadb-install-db --no-defaults --user=mysql --datadir=$d/data --auth-root-authentication-method=normal >/dev/null 2>&1
mariadbd --no-defaults --user=mysql --datadir=$d/data --socket=$d/s --skip-networking --pid-file=$d/p \
  --innodb-buffer-pool-size=$1 --innodb-flush-log-at-trx-commit=0 --innodb-flush-method=O_DIRECT >/dev/null 2>&1 &
p=$!
q() { mariadb --no-defaults -S $d/s -u root -N -e "$1" >/dev/null 2>&1; }
for i in $(seq 40); do q 'select 1' && break; sleep 0.25; done
q "create database d"
q "use d; create table t (g int primary key, a char(250), b char(250), c char(250), d char(250)) character set latin1;
insert into t select seq, repeat('a', 250), repeat('b', 250), repeat('c', 250), repeat('d', 250) from seq_1_to_350000"
q "select sum(length(a)) from d.t"
kill -TERM $p 2>/dev/null; wait $p; rm -rf $d; exit 0`
