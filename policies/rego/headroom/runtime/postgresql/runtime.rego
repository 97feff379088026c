# METADATA
# title: PostgreSQL
# description: |
#   PostgreSQL. Shown by the annotation, by the command or by the image. Its shared buffers are memory of all its
#   processes together (R60).
package headroom.runtime.postgresql

import data.headroom.serving

about := {
	"aliases": ["postgres", "pg"],
	"words": "PostgreSQL",
	"images": [
		"postgres", "bitnami/postgresql", "bitnamilegacy/postgresql", "bitnamisecure/postgresql", "pgvector/pgvector",
		"postgis/postgis", "timescale/timescaledb",
	],
	"starts": ["postgres", "postmaster"],
}

found := serving.found("postgresql")
