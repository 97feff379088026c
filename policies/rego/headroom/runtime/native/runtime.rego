# METADATA
# title: Native code
# description: A program with no runtime that sizes itself by the machine. Only the annotation says so.
package headroom.runtime.native

about := {"words": "native code"}
