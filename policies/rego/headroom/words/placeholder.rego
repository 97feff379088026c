package headroom.words

# placeholder says that a text holds what is filled in before a manifest is applied: ${NAME} and $NAME of envsubst,
# Flux and OpenShift's Templates, $(NAME) of kustomize's vars, {{ }} of templates, <path:…> of Argo CD's vault plugin,
# #{NAME} of Azure's and Octopus' pipelines, @NAME@ of Maven, %NAME% and __NAME__ of scripts.
placeholder(text) if {
	is_string(text)
	regex.match(_placeholders, text)
}

_placeholders := concat("|", [
	`[$#]\{[^{}]+\}`, `\$\([^()]+\)`, `\{\{`, `^<[^<>]+>$`,
	`^(?:\$[A-Za-z_][\w.-]*|@[A-Za-z_][\w.-]*@|%[A-Za-z_][\w.-]*%|__[A-Za-z0-9_]+__)$`,
])
