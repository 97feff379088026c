package plane

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// tokenVolume is how a ServiceAccount's volume is named by the API server.
const tokenVolume = "kube-api-access-"

// writeVolumes writes the Pod's volumes to folders, and swaps those whose content changed.
func (r *runner) writeVolumes() error {
	for _, volume := range r.pod.Spec.Volumes {
		dir := r.volume(volume.Name)
		switch {
		case volume.EmptyDir != nil:
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		case volume.Secret != nil || volume.ConfigMap != nil:
			files, err := r.volumeFiles(volume)
			if err != nil {
				return fmt.Errorf("mount %s: %w", volume.Name, err)
			}
			if err := writeAtomically(dir, files); err != nil {
				return fmt.Errorf("mount %s: %w", volume.Name, err)
			}
		case strings.HasPrefix(volume.Name, tokenVolume):
		default:
			return fmt.Errorf("mount %s: nothing here plays this kind of volume", volume.Name)
		}
	}
	return nil
}

func (r *runner) volume(name string) string { return filepath.Join(r.dir, "volumes", name) }

// volumeFiles are the files of a volume by name.
func (r *runner) volumeFiles(volume corev1.Volume) (map[string][]byte, error) {
	content := map[string][]byte{}
	var items []corev1.KeyToPath
	var optional *bool
	var err error
	if source := volume.Secret; source != nil {
		items, optional = source.Items, source.Optional
		var secret *corev1.Secret
		if secret, err = r.kubelet.secrets.Get(source.SecretName); err == nil {
			content = secret.Data
		}
	} else {
		source := volume.ConfigMap
		items, optional = source.Items, source.Optional
		var config *corev1.ConfigMap
		if config, err = r.kubelet.configs.Get(source.Name); err == nil {
			maps.Copy(content, config.BinaryData)
			for key, text := range config.Data {
				content[key] = []byte(text)
			}
		}
	}
	if apierrors.IsNotFound(err) && optional != nil && *optional {
		return nil, nil
	}
	if err != nil || len(items) == 0 {
		return content, err
	}
	chosen := map[string][]byte{}
	for _, item := range items {
		value, found := content[item.Key]
		if !found {
			return nil, fmt.Errorf("references non-existent key %s", item.Key)
		}
		chosen[item.Path] = value
	}
	return chosen, nil
}

// writeAtomically writes files as the kubelet does: into a new folder, to which the link
// "..data" is moved. Readers see all of the old files or all of the new.
func writeAtomically(dir string, files map[string][]byte) error {
	data := filepath.Join(dir, "..data")
	old, _ := os.Readlink(data)
	if old != "" && sameFiles(filepath.Join(dir, old), files) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(dir, "..")
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(fresh, name), content, 0o600); err != nil {
			return err
		}
	}
	next := filepath.Join(dir, "..data_tmp")
	if err := errors.Join(os.Symlink(filepath.Base(fresh), next), os.Rename(next, data)); err != nil {
		return err
	}
	for name := range files {
		err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name))
		if err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	if old == "" {
		return nil
	}
	return os.RemoveAll(filepath.Join(dir, old))
}

func sameFiles(dir string, files map[string][]byte) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		return false
	}
	for name, content := range files {
		was, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(was) != string(content) {
			return false
		}
	}
	return true
}
