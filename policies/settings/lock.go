package settings

import (
	"fmt"

	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// LockName is the default name of a lock of images.
const LockName = "headroom-images.yaml"

// maxLockBytes bounds a lock: an image takes a kilobyte or two.
const maxLockBytes = 16 << 20

// LoadLock reads and checks a lock of images, and gives what the policies have as data.headroom.image_lock. The error
// joins one Problem for each mistake.
func LoadLock(file string) (map[string]any, error) {
	data, err := yamlfile.Read(file, maxLockBytes)
	if err != nil {
		return nil, err
	}
	return ParseLock(file, data)
}

// ParseLock checks the text of a lock; file only names it in errors.
func ParseLock(file string, data []byte) (map[string]any, error) {
	if len(data) > maxLockBytes {
		return nil, Problem{File: file, Message: fmt.Sprintf("is %d bytes long; at most %d are read", len(data), maxLockBytes)}
	}
	document, _, err := parse(file, data, "images.schema.json")
	if err != nil {
		return nil, err
	}
	headroom, _ := document["headroom"].(map[string]any)
	lock, _ := headroom["image_lock"].(map[string]any)
	return lock, nil
}
