package engine

// ConfigMapsNamed lists the ConfigMaps that an object's environment variables and files are taken from, or
// that its options name, sorted: no other ConfigMap of a Context is read.
func ConfigMapsNamed(manifest map[string]any) []string { return configMapsNamed(manifest) }
