package headroom.runtime.jvm

# Modules that --add-modules names and that JDKs had for some releases only: from 9 on unless said, up to the release
# that is said. With the JEP that says so; measured on JDK 11 to 28.
_modules_of_some := {
	"java.activation": {"upto": 10, "source": "JEP 320"},
	"java.corba": {"upto": 10, "source": "JEP 320"},
	"java.se.ee": {"upto": 10, "source": "JEP 320"},
	"java.transaction": {"upto": 10, "source": "JEP 320"},
	"java.xml.bind": {"upto": 10, "source": "JEP 320"},
	"java.xml.ws": {"upto": 10, "source": "JEP 320"},
	"java.xml.ws.annotation": {"upto": 10, "source": "JEP 320"},
	"jdk.xml.bind": {"upto": 10, "source": "JEP 320"},
	"jdk.xml.ws": {"upto": 10, "source": "JEP 320"},
	"jdk.incubator.httpclient": {"upto": 10, "source": "JEP 321"},
	"jdk.pack": {"upto": 13, "source": "JEP 367"},
	"jdk.scripting.nashorn": {"upto": 14, "source": "JEP 372"},
	"jdk.scripting.nashorn.shell": {"upto": 14, "source": "JEP 372"},
	"jdk.incubator.jpackage": {"from": 14, "upto": 15, "source": "JEP 392"},
	"jdk.aot": {"upto": 16, "source": "JEP 410"},
	"jdk.incubator.foreign": {"from": 14, "upto": 18, "source": "JEP 424"},
	"jdk.incubator.concurrent": {"from": 19, "upto": 20, "source": "JEP 446"},
}

# _module_faults says which releases do not have a module of a list.
_module_faults(list) := [{"reason": reason, "refusing": refusing, "unknown_to": {8}, "takes": having} |
	some module in split(list, ",")
	row := _modules_of_some[module]
	having := {v | some v in numbers.range(object.get(row, "from", 9), row.upto)}
	refusing := every_release - having
	reason := sprintf("module %s is in no JDK since %v (%s)", [module, row.upto + 1, row.source])
]
