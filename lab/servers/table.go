package main

// server is one that is measured: its jars are those of artefacts.txt below the name jars.
type server struct {
	name, version string
	jars          string
	source        string // java/<source>.java, which is compiled; "" for none
	release       int    // of the JDK
	limitMiB      int
	flags         []string
	options       []string // what its start script adds to them
	classPath     string   // in its archive; "" for all jars
	main          []string // class and arguments; {dir} is a folder of its own
	before        []string // the same, run before outside the cgroup
	client        []string // the same, run beside it; nil for none
	http          func(*visitor)
}

// port is where every server listens, on this machine alone.
const port = "18080"

// processors is what a JVM is told that would count one: it has a CPU limit of less than one.
const (
	processors = "-XX:ActiveProcessorCount=2"
	g1         = "-XX:+UseG1GC"
)

var allCaps = []string{"-XX:MaxMetaspaceSize=128m", "-XX:ReservedCodeCacheSize=64m", "-Xss512k"}

var servers = []server{
	{
		name: "Spring Boot, Tomcat, JPA", version: "4.0.8", jars: "spring", source: "Spring", release: 17, limitMiB: 1024,
		flags: []string{"-XX:MaxRAMPercentage=75.0", processors, g1},
		main:  []string{"load.Spring", "--server.port=" + port}, http: items,
	},
	{
		name: "Spring Boot, Tomcat, JPA", version: "4.0.8", jars: "spring", source: "Spring", release: 21, limitMiB: 1024,
		flags: []string{"-XX:MaxRAMPercentage=50.0", processors, "-XX:+UseZGC", "-XX:+ZGenerational"},
		main:  []string{"load.Spring", "--server.port=" + port}, http: items,
	},
	{
		name: "Zipkin (Armeria, Netty)", version: "3.5.1", jars: "zipkin", release: 21, limitMiB: 768,
		flags: []string{"-Xmx384m", processors, g1},
		main:  []string{"org.springframework.boot.loader.launch.JarLauncher", "--server.port=" + port}, http: spans,
	},
	{
		name: "WireMock (Jetty)", version: "3.13.2", jars: "wiremock", release: 17, limitMiB: 512,
		main: []string{"wiremock.Run", "--port", port, "--max-request-journal-entries", "2000"}, http: stubs,
	},
	{
		name: "Fuseki (Jetty)", version: "5.6.0", jars: "fuseki", release: 25, limitMiB: 1024,
		flags: []string{"-Xmx512m", processors, "-XX:+UseParallelGC"},
		main:  []string{"org.apache.jena.fuseki.main.cmds.FusekiServerCmd", "--port=" + port, "--localhost", "--update", "--mem", "/ds"},
		http:  triples,
	},
	{
		name: "Kafka (KRaft)", version: "4.1.1", jars: "kafka", source: "Kafka", release: 17, limitMiB: 1536,
		flags:  []string{"-Xms1g", "-Xmx1g", processors, g1},
		before: []string{"kafka.tools.StorageTool", "format", "--standalone", "-t", "AAAAAAAAAAAAAAAAAAAAAA", "-c", "{dir}/server.properties"},
		main:   []string{"kafka.Kafka", "{dir}/server.properties"}, client: []string{"load.Kafka"},
	},
	{
		name: "Artemis", version: "2.44.0", jars: "artemis", source: "Artemis", release: 17, limitMiB: 1024,
		flags: []string{"-Xmx512m", processors, g1},
		main:  []string{"load.Artemis", "{dir}"}, client: []string{"load.Artemis"},
	},
	{
		name: "Keycloak (Quarkus)", version: "26.5.6", jars: "keycloak", release: 21, limitMiB: 1280,
		flags: []string{"-XX:MaxRAMPercentage=70.0", "-XX:MaxMetaspaceSize=256m", processors, g1},
		options: []string{
			"-Dkc.home.dir={dir}/keycloak-26.5.6", "-Djboss.server.config.dir={dir}/keycloak-26.5.6/conf",
			"-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
			"-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory",
			"-Dkc.bootstrap-admin-username=admin", "-Dkc.bootstrap-admin-password=admin", "-XX:MetaspaceSize=96M",
			"--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
			"--add-opens=java.base/java.security=ALL-UNNAMED",
		},
		classPath: "{dir}/keycloak-26.5.6/lib/quarkus-run.jar",
		before:    []string{"io.quarkus.bootstrap.runner.QuarkusEntryPoint", "build", "--db=dev-mem"},
		main: []string{
			"io.quarkus.bootstrap.runner.QuarkusEntryPoint", "start", "--optimized", "--cache=local",
			"--http-enabled=true", "--http-host=127.0.0.1", "--http-port=" + port, "--hostname-strict=false",
		},
		http: tokens,
	},
	{
		name: "H2 server", version: "2.4.240", jars: "h2", source: "H2", release: 17, limitMiB: 512,
		flags: []string{"-XX:MaxRAMPercentage=50.0"},
		main:  []string{"org.h2.tools.Server", "-tcp", "-tcpPort", port, "-ifNotExists"}, client: []string{"load.H2", "24"},
	},
	{
		name: "Hazelcast", version: "5.5.0", jars: "hazelcast", source: "Hazelcast", release: 17, limitMiB: 1024,
		flags: []string{"-XX:MaxRAMPercentage=75.0", processors, g1},
		main:  []string{"load.Hazelcast", "200000"},
	},
	{
		name: "Lucene", version: "9.12.3", jars: "lucene", source: "Lucene", release: 21, limitMiB: 1024,
		flags: []string{"-Xmx512m", processors, g1},
		main:  []string{"load.Lucene", "{dir}"},
	},
	{
		name: "Netty without cleaner, and JDK direct", version: "4.1.118", jars: "netty", source: "Netty", release: 17, limitMiB: 704,
		// As Netty's users set it for a faster buffer: it then counts by itself, up to the JVM's cap once more.
		flags: append([]string{
			"-Xmx256m", "-XX:MaxDirectMemorySize=160m", processors, g1,
			"--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true",
		}, allCaps...),
		main: []string{"load.Netty", "130", "100"}, http: bodies,
	},
	{
		name: "RocksDB, 4 stores", version: "9.10.0", jars: "rocksdb", source: "Rocks", release: 17, limitMiB: 1024,
		flags: append([]string{"-Xmx256m", "-XX:MaxDirectMemorySize=64m", processors, g1}, allCaps...),
		main:  []string{"load.Rocks", "4", "{dir}"},
	},
}

// kafkaProperties are those of a broker that is its own controller.
const kafkaProperties = `
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:18081
listeners=PLAINTEXT://127.0.0.1:18080,CONTROLLER://127.0.0.1:18081
advertised.listeners=PLAINTEXT://127.0.0.1:18080,CONTROLLER://127.0.0.1:18081
controller.listener.names=CONTROLLER
log.dirs={dir}/logs
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
log.retention.bytes=67108864
log.segment.bytes=16777216
`
