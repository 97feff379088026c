package headroom.runtime.jvm

# ranks are the variables that a JVM reads by itself, in the order in which they override
# each other; the command line ranks 3 (measured on JDK 8 to 28).
ranks := {"JAVA_TOOL_OPTIONS": 1, "JDK_JAVA_OPTIONS": 2, "_JAVA_OPTIONS": 4}

command_rank := 3

# conventional are variables that no JVM reads, but that the start scripts of many images
# put on java's command line.
conventional := {
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
	"JENKINS_JAVA_OPTS",
	"JENKINS_JAVA_OPTIONS",
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
	"OPENSEARCH_JAVA_OPTS",
	"PULSAR_MEM",
	"SBT_OPTS",
	"SERVER_JVMFLAGS",
	"SOLR_JAVA_MEM",
	"SOLR_OPTS",
	"SONAR_CE_JAVAOPTS",
	"SONAR_SEARCH_JAVAOPTS",
	"SONAR_WEB_JAVAOPTS",
	"SPARK_DAEMON_JAVA_OPTS",
	"ZOO_JVMFLAGS",
}

carriers := (conventional | object.keys(ranks)) | object.keys(sizes)

# image_pattern matches the repositories of images that run a JVM: bare JDKs, and programs
# with start scripts of their own.
image_pattern := concat("", [`(?:^|/)(?:`, _jdk_images, `|`, _program_images, `)(?:[:@]|$)`])

jdk_image_pattern := concat("", [`(?:^|/)(?:`, _jdk_images, `)(?:[:@]|$)`])

_jdk_images := concat("", [
	`eclipse-temurin|openjdk|amazoncorretto|liberica-open(?:jdk|jre)[^/:@]*|zulu-openjdk[^/:@]*|graalvm[^/:@]*|`,
	`java|distroless/java[^/:@]*|tomcat|tomee|jetty`,
])

_program_images := concat("", [
	`wildfly|payara|open-liberty|activemq[^/:@]*|cassandra|elasticsearch|opensearch|logstash|solr|jenkins|keycloak|`,
	`cp-(?:schema-registry|ksqldb-server|kafka[^/:@]*|zookeeper)|schema-registry|ksqldb-server|kafka[^/:@]*|zookeeper|`,
	`sonarqube|neo4j|hazelcast|flink|spark|trino|druid|nifi|pulsar|hbase|nexus3|debezium`,
])

# sizes are variables that hold a size which a start script makes into heap flags.
sizes := {
	"MAX_HEAP_SIZE": "-Xms%s -Xmx%s",
	"SOLR_HEAP": "-Xms%s -Xmx%s",
}
