package headroom.memory

# frameworks are told by what a command line, a variable or an image's name shows. takes is what servers of the kind
# took beside their heap under load (M8, M10): MiB of regions, threads, and native memory that is not the collector's.
frameworks := [
	{
		"name": "Spring",
		"sign": `\bSPRING_[A-Z]|\borg\.springframework\.|-Dspring\.|\bspring-(?:boot|cloud)`,
		"takes": {"metaspace": 85, "code cache": 42, "direct": 12, "threads": 150, "native": 40},
	},
	{
		"name": "Quarkus",
		"sign": `\bQUARKUS_[A-Z]|\bquarkus-run\.jar|\bio\.quarkus\.|-Dquarkus\.`,
		"takes": {"metaspace": 70, "code cache": 45, "direct": 16, "native": 55},
	},
	{
		"name": "Vert.x",
		"sign": `\bVERTX_[A-Z]|\bio\.vertx\.|-Dvertx\.`,
		"takes": {"metaspace": 22, "code cache": 16, "direct": 8, "threads": 48, "native": 34},
	},
	{
		"name": "Helidon",
		"sign": `\bHELIDON_|\bio\.helidon\.|-Dhelidon\.`,
		"takes": {"metaspace": 22, "code cache": 14, "direct": 4, "threads": 48, "native": 30},
	},
	{
		"name": "gRPC",
		"sign": `\bGRPC_[A-Z]|\bio\.grpc\.|-Dio\.grpc\.`,
		"takes": {"metaspace": 50, "code cache": 45, "direct": 128, "native": 85},
	},
	{
		"name": "H2",
		"sign": `\borg\.h2\.tools\.`,
		"takes": {"metaspace": 10, "code cache": 12, "direct": 4, "threads": 48, "native": 40},
	},
	{
		"name": "WireMock",
		"sign": `(?i)\bwiremock`,
		"takes": {"metaspace": 25, "code cache": 16, "direct": 2, "threads": 48, "native": 45},
	},
	{
		"name": "Payara Micro",
		"sign": `(?i)\bpayara[-/]micro|\bfish\.payara\.`,
		"takes": {"metaspace": 130, "code cache": 60, "direct": 16, "threads": 120, "native": 350},
	},
	{
		"name": "Fuseki",
		"sign": `(?i)\bfuseki`,
		"takes": {"metaspace": 45, "code cache": 24, "direct": 460, "threads": 48, "native": 130},
	},
	{
		"name": "Zipkin",
		"sign": `(?i)\bzipkin`,
		"takes": {"metaspace": 63, "code cache": 32, "direct": 24, "threads": 228, "native": 45},
	},
	{
		"name": "Lucene",
		"sign": `\borg\.apache\.lucene\.`,
		"takes": {"metaspace": 24, "code cache": 24, "direct": 2, "threads": 24, "native": 30},
	},
]
