package headroom.runtime.jvm

# ranks are the variables that a JVM reads by itself, in the order in which they override
# each other; the command line ranks 3 (measured on JDK 8 to 28).
ranks := {"JAVA_TOOL_OPTIONS": 1, "JDK_JAVA_OPTIONS": 2, "_JAVA_OPTIONS": 4}

command_rank := 3

# kept are variables of an image that say something of its JVM.
kept := carriers | {"JAVA_VERSION"}

# carriers are the variables that carry JVM flags: those of ranks, and others that no JVM
# reads but that the start scripts of many images put on java's command line. Written out,
# as they are needed for every object.
carriers := {
	"ACTIVEMQ_OPTS",
	"BOOKIE_MEM",
	"CATALINA_OPTS",
	"ES_JAVA_OPTS",
	"FLINK_ENV_JAVA_OPTS",
	"GRADLE_OPTS",
	"HADOOP_OPTS",
	"HBASE_OPTS",
	"HEAP_OPTS",
	"JAVA_ARGS",
	"JAVA_OPTIONS",
	"JAVA_OPTS",
	"JAVA_OPTS_APPEND",
	"JAVA_OPTS_KC_HEAP",
	"JAVA_TOOL_OPTIONS",
	"JDK_JAVA_OPTIONS",
	"JENKINS_JAVA_OPTIONS",
	"JENKINS_JAVA_OPTS",
	"JETTY_OPTS",
	"JVMFLAGS",
	"JVM_ARGS",
	"JVM_EXTRA_OPTS",
	"JVM_FLAGS",
	"JVM_OPTIONS",
	"JVM_OPTS",
	"KAFKA_HEAP_OPTS",
	"KAFKA_JVM_PERFORMANCE_OPTS",
	"KAFKA_OPTS",
	"LS_JAVA_OPTS",
	"MAVEN_OPTS",
	"MAX_HEAP_SIZE",
	"OPENSEARCH_JAVA_OPTS",
	"PULSAR_MEM",
	"SBT_OPTS",
	"SERVER_JVMFLAGS",
	"SOLR_HEAP",
	"SOLR_JAVA_MEM",
	"SOLR_OPTS",
	"SONAR_CE_JAVAOPTS",
	"SONAR_SEARCH_JAVAOPTS",
	"SONAR_WEB_JAVAOPTS",
	"SPARK_DAEMON_JAVA_OPTS",
	"ZOO_JVMFLAGS",
	"_JAVA_OPTIONS",
}

# java_image tells whether an image is known to run a JVM: by its last name, whatever the
# registry. jdk_image is a bare JDK or server, without a start script that sets a heap.
java_image(image) if jdk_image(image)

java_image(image) if image_name(image) in _programs

jdk_image(image) if image_name(image) in _jdks

jdk_image(image) if regex.match(jdk_builds, image_name(image))

jdk_builds := `^(?:java[0-9]|zulu-|liberica-|graalvm-)`

# native_image tells whether an image says that its program was compiled ahead, and has no JVM.
native_image(image) if {
	is_string(image)
	regex.match(`native|graal`, image)
}

# image_name of registry:5000/team/name:tag@sha256:… is name.
image_name(image) := split(parts[count(parts) - 1], ":")[0] if {
	is_string(image)
	parts := split(split(image, "@")[0], "/")
} else := ""

_jdks := {
	"eclipse-temurin",
	"openjdk",
	"amazoncorretto",
	"java",
	"tomcat",
	"tomee",
	"jetty",
}

_programs := {
	"activemq",
	"activemq-artemis",
	"activemq-classic",
	"cassandra",
	"cp-kafka",
	"cp-kafka-connect",
	"cp-ksqldb-server",
	"cp-schema-registry",
	"cp-server",
	"cp-zookeeper",
	"debezium",
	"druid",
	"elasticsearch",
	"flink",
	"hazelcast",
	"hbase",
	"jenkins",
	"kafka",
	"keycloak",
	"logstash",
	"neo4j",
	"nexus3",
	"nifi",
	"opensearch",
	"payara",
	"pulsar",
	"solr",
	"sonarqube",
	"spark",
	"trino",
	"wildfly",
	"zookeeper",
}

# sizes are variables that hold a size which a start script makes into heap flags.
sizes := {
	"MAX_HEAP_SIZE": "-Xms%s -Xmx%s",
	"SOLR_HEAP": "-Xms%s -Xmx%s",
}
