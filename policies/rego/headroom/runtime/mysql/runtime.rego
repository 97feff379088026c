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

# What the server takes beside a pool that is full, at least: MariaDB 10.11 was OOMKilled with a pool of 205 MiB
# under 256 MiB, and with one of 76 under 128 (R62). MySQL takes more.
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
	"expected": sprintf("innodb_buffer_pool_size of at most %vM (60 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(server.c.memory_limit, _share, 0),
		ceiling.limit_for(bytes, _share),
	]),
} |
	some server in serving.of("mysql")
	pool := _pool(server)
	regex.match(`^[0-9]+[kKmMgGtT]?$`, pool.text)
	bytes := ceiling.size(pool.text)
]

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
}
