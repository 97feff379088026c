package source

import "os"

// open opens a file that was found. Below a root, no link leads out of it between finding and opening.
func (o Options) open(name string) (*os.File, error) {
	if o.Root == nil {
		return os.Open(name)
	}
	return o.Root.Open(name)
}

// outside says of a real path that it is not below the root, where there is one.
func (o Options) outside(real string) bool { return o.Root != nil && !within(o.Root.Name(), real) }
