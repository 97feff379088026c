package headroom.runtime.go

# about is what the registry has of Go. The facts of its annotation are the go line of go.mod, and
# automaxprocs where the program imports that.
about := {
	"aliases": ["golang"],
	"words": "Go",
	"bursts": "the goroutines that run at once, garbage collection among them,",
	"rank": 2,
	"example": "go version=1.24",
	"marks": ["GOLANG_VERSION"],
	"variables": ["GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT"],
}

fact := `version=(?:go)?[1-9][0-9]?\.(?:[1-9][0-9]{0,2}|0)(?:[^0-9 ][^ \n]*)?|automaxprocs`

found := {g.c.id: {"sure": g.sure, "evidence": g.evidence} | some g in gos}
