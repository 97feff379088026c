import com.sun.net.httpserver.HttpServer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Exporter keeps some MiB alive and tells of its own JVM by Micrometer's names. It prints the port where. */
public class Exporter {
    public static void main(String[] args) throws Exception {
        var held = new byte[Integer.parseInt(args[0])][1 << 20];
        System.gc();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] text = metrics().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.in.read();
        java.lang.ref.Reference.reachabilityFence(held);
        System.exit(0);
    }

    static String metrics() {
        var text = new StringBuilder();
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            var labels = "{area=\"" + (pool.getType() == MemoryType.HEAP ? "heap" : "nonheap") + "\",id=\"" + pool.getName() + "\"} ";
            text.append("jvm_memory_max_bytes" + labels + pool.getUsage().getMax() + "\n");
            text.append("jvm_memory_used_bytes" + labels + pool.getUsage().getUsed() + "\n");
            text.append("jvm_memory_committed_bytes" + labels + pool.getUsage().getCommitted() + "\n");
            if (pool.getName().equals("Tenured Gen")) {
                text.append("jvm_gc_live_data_size_bytes " + pool.getCollectionUsage().getUsed() + "\n");
            }
        }
        for (var pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            text.append("jvm_buffer_memory_used_bytes{id=\"" + pool.getName() + "\"} " + pool.getMemoryUsed() + "\n");
        }
        text.append("jvm_threads_live_threads " + ManagementFactory.getThreadMXBean().getThreadCount() + "\n");
        text.append("jvm_classes_loaded_classes " + ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() + "\n");
        return text.append("system_cpu_count " + Runtime.getRuntime().availableProcessors() + "\n").toString();
    }
}
