import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Service takes as much beside its heap as a server of Spring Boot does, keeps an amount alive and allocates 300 MiB in
 * each second of its own CPU time. It prints the milliseconds of CPU that the process took, and those of its own thread.
 * With a third argument it allocates so many MiB a second, and prints as well what its exporter would tell: the share of
 * the time in which collections stopped it, and, in bytes, live objects, metaspace, code and buffers, its threads and its
 * largest heap.
 */
public class Service {
    static final int PIECE = 1024;
    static final long METASPACE = 83L << 20;
    static final int DIRECT = 32 << 20;
    static final int THREADS = 80;
    static final int WORK = 1_400_000; // steps for each MiB: about 3 ms

    static final List<Object> held = new ArrayList<>();
    static long random = 1;

    public static void main(String[] args) {
        loadClasses();
        ByteBuffer direct = ByteBuffer.allocateDirect(DIRECT);
        for (int at = 0; at < DIRECT; at += PIECE) {
            direct.put(at, (byte) 1);
        }
        held.add(direct);
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform().daemon().start(java.util.concurrent.locks.LockSupport::park);
        }
        var pieces = new byte[Integer.parseInt(args[0]) * 1024][];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new byte[PIECE - 16];
        }
        serve(pieces, 256, 0); // compiled by then
        int rate = args.length > 2 ? Integer.parseInt(args[2]) : 0;
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        long process = system.getProcessCpuTime();
        long own = threads.getCurrentThreadCpuTime();
        long began = System.nanoTime();
        long stopped = stopped();
        serve(pieces, Integer.parseInt(args[1]), rate);
        own = threads.getCurrentThreadCpuTime() - own;
        System.out.println((system.getProcessCpuTime() - process) / 1_000_000 + " " + own / 1_000_000);
        if (rate > 0) {
            System.out.println((stopped() - stopped) * 1e6 / (System.nanoTime() - began));
            System.gc();
            System.out.println(pools(".*Old Gen|Tenured Gen", true) + " " + pools("Metaspace", false) + " " + pools("CodeHeap.*|CodeCache", false));
            java.lang.ref.Reference.reachabilityFence(pieces);
            System.out.println(DIRECT + " " + threads.getPeakThreadCount());
            System.out.println(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax());
        }
    }

    /** stopped are the milliseconds in which collections stopped the program. */
    static long stopped() {
        long sum = 0;
        for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            sum += collector.getName().contains("Concurrent") ? 0 : collector.getCollectionTime();
        }
        return sum;
    }

    static long pools(String names, boolean collected) {
        long sum = 0;
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().matches(names)) {
                sum += collected ? pool.getCollectionUsage().getUsed() : pool.getUsage().getCommitted();
            }
        }
        return sum;
    }

    static void loadClasses() {
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            while (pool.getName().equals("Metaspace") && pool.getUsage().getUsed() < METASPACE) {
                var loader = new ClassLoader(Service.class.getClassLoader()) {};
                held.add(Proxy.newProxyInstance(loader, new Class<?>[] {java.sql.ResultSet.class}, (proxy, method, more) -> null));
            }
        }
    }

    static void serve(byte[][] pieces, int mebibytes, int rate) {
        long began = System.nanoTime();
        for (int i = 0; i < mebibytes; i++) {
            if (rate > 0) {
                java.util.concurrent.locks.LockSupport.parkNanos(began + i * 1_000_000_000L / rate - System.nanoTime());
            }
            for (int n = 0; n < 1024; n++) {
                random = random * 6364136223846793005L + 1442695040888963407L;
                byte[] fresh = new byte[PIECE - 16];
                fresh[n % fresh.length] = (byte) (random >>> 33);
                if (n % 100 == 0) {
                    pieces[(int) ((random >>> 33) % pieces.length)] = fresh;
                }
            }
            for (int n = 0; n < WORK; n++) {
                random ^= random << 13;
                random ^= random >>> 7;
                random ^= random << 17;
            }
        }
    }
}
