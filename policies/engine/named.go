package engine

// ConfigMapsNamed lists the ConfigMaps that an object's environment variables and files are taken from,
// sorted: of a Context's ConfigMaps no other is looked at.
func ConfigMapsNamed(manifest map[string]any) []string { return configMapsNamed(manifest) }
