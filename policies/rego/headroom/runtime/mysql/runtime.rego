# METADATA
# title: MySQL and MariaDB
# description: |
#   MySQL, MariaDB and Percona Server. Shown by the annotation, by the command or by the image. InnoDB's buffer pool is
#   as large as it is told (R62).
package headroom.runtime.mysql

import data.headroom.ceiling
import data.headroom.serving

about := {
	"aliases": ["mariadb", "percona"],
	"words": "MySQL or MariaDB",
	"images": [
		"mysql", "mariadb", "percona", "bitnami/mysql", "bitnami/mariadb", "bitnamilegacy/mysql", "bitnamilegacy/mariadb",
		"mysql/mysql-server", "percona/percona-server",
	],
	"starts": ["mysqld", "mariadbd"],
	"variables": ["MARIADB_EXTRA_FLAGS", "MYSQL_EXTRA_FLAGS"],
}

found := serving.found("mysql")

# The manual's 50 to 75 % are for a machine of its own, with swap (R62).
_share := 0.6

# What the server takes beside a pool that is full: MariaDB 10.11 was OOMKilled with a pool of 205 MiB under 256 MiB,
# and not with 154 (R62).
_own := 54525952

# ceilings are the buffer pools that somebody sized.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": pool.path,
	"terms": [
		{"text": sprintf("innodb_buffer_pool_size %v MiB", [ceiling.mib(bytes)]), "bytes": bytes, "sure": true},
		{"text": sprintf("the server itself %v MiB", [ceiling.mib(_own)]), "bytes": _own, "sure": false},
	],
	"before": "InnoDB evicts a page",
	"expected": _expected(server.c.memory_limit, bytes),
} |
	some server in serving.servers("mysql")
	pool := _pool(server)
	regex.match(`^[0-9]+[kKmMgGtT]?$`, pool.text)
	bytes := ceiling.size(pool.text)
]

_expected(limit, bytes) := sprintf("innodb_buffer_pool_size of at most %vM (%s), or limits.memory of %s", [
	room,
	"60 % of limits.memory, and room for the server itself",
	_limit_for(bytes),
]) if {
	room := min([ceiling.room(limit, _share, 0), ceiling.room(limit, _most, _own)])
	room >= _least
} else := sprintf("limits.memory of %s", [_limit_for(bytes)])

_limit_for(bytes) := ceiling.limit_for(max([bytes, ((bytes + _own) * _share) / _most]), _share)

# Pool and server together stay below the limit by a tenth, where 60 % is more than that.
_most := 0.9

# InnoDB's smallest pool, in MiB.
_least := 5

_options := ["--innodb-buffer-pool-size", "--innodb_buffer_pool_size"]

# Bitnami's scripts put the variable behind the options of their own.
_pool(server) := serving.option(server, _options) if {
	serving.option(server, _options)
} else := found[0] if {
	found := [pool |
		some name in about.variables
		pool := serving.option({"words": serving.variable_words(server.c, name)}, _options)
	]
	count(found) > 0
} else := {"text": lines[count(lines) - 1][1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	lines := [line |
		some folder in _folders
		some path, text in serving.files(server.c, folder)
		endswith(path, ".cnf")
		some line in regex.find_all_string_submatch_n(_line, text, -1)
	]
	count(lines) > 0
}

# The files of the official images and of Bitnami's, in the order in which they are read.
_folders := [
	"/etc", "/etc/mysql", "/etc/my.cnf.d", "/etc/mysql/conf.d", "/etc/mysql/mysql.conf.d", "/etc/mysql/mariadb.conf.d",
	"/opt/bitnami/mysql/conf", "/opt/bitnami/mariadb/conf",
]

_line := `(?m)^[ \t]*innodb[-_]buffer[-_]pool[-_]size[ \t]*=[ \t]*([^\s#]+)`
