import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Service takes as much beside its heap as a server of Spring Boot does, keeps an amount alive and allocates 300 MiB in
 * each second of its own CPU time. It prints the milliseconds of CPU that the process took, and those of its own thread.
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
        serve(pieces, 256); // compiled by then
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        long process = system.getProcessCpuTime();
        long own = threads.getCurrentThreadCpuTime();
        serve(pieces, Integer.parseInt(args[1]));
        own = threads.getCurrentThreadCpuTime() - own;
        System.out.println((system.getProcessCpuTime() - process) / 1_000_000 + " " + own / 1_000_000);
    }

    static void loadClasses() {
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            while (pool.getName().equals("Metaspace") && pool.getUsage().getUsed() < METASPACE) {
                var loader = new ClassLoader(Service.class.getClassLoader()) {};
                held.add(Proxy.newProxyInstance(loader, new Class<?>[] {java.sql.ResultSet.class}, (proxy, method, more) -> null));
            }
        }
    }

    static void serve(byte[][] pieces, int mebibytes) {
        for (int i = 0; i < mebibytes; i++) {
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
