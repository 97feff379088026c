package headroom.process

# mounted is the text of a file that a volume puts into the container: {"text": …}, {"why": …} where it
# cannot be seen, undefined where no volume reaches it.
mounted(c, file) := _content(c, of_mount, key) if {
	mounts := [m | some m in c.raw.volumeMounts; is_string(m.mountPath); _covers(m.mountPath, file)]
	count(mounts) > 0
	longest := max([count(m.mountPath) | some m in mounts])
	mount := [m | some m in mounts; count(m.mountPath) == longest][0]
	of_mount := [v | some v in c.beside.volumes; v.name == mount.name][0]
	key := _key(mount, file)
}

_covers(folder, file) if folder == file

_covers(folder, file) if startswith(file, concat("", [trim_right(folder, "/"), "/"]))

_key(mount, file) := mount.subPath if {
	is_string(mount.subPath)
	mount.mountPath == file
} else := trim_prefix(trim_prefix(file, trim_right(mount.mountPath, "/")), "/")

_content(c, of_mount, key) := _mapped_file(c, of_mount.configMap, key) if {
	is_object(of_mount.configMap)
} else := {"why": "a volume other than a ConfigMap holds it"}

_mapped_file(c, source, key) := {"why": concat("", ["ConfigMap ", object.get(source, "name", "?"), ": ", why])} if {
	why := config_map(source.name, c).why
} else := {"text": text} if {
	text := config_map(source.name, c).data[_item(source, key)]
	is_string(text)
}

_item(source, key) := [item.key | some item in source.items; item.path == key][0] if {
	source.items
} else := key
