import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.ForkJoinPool;

/**
 * Counts says on a line of its own, as it starts and again for each line that it reads, how many processors this JVM
 * counts, how parallel its common pool is, which collector it has, and how many threads that has.
 */
public class Counts {
    public static void main(String[] arguments) throws Exception {
        do {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            System.out.println("processors=" + Runtime.getRuntime().availableProcessors()
                + " common=" + ForkJoinPool.commonPool().getParallelism()
                + " collector=" + ManagementFactory.getGarbageCollectorMXBeans().get(0).getName().split(" ")[0]
                + " threads=" + collectorThreads());
        } while (System.in.read() >= 0);
    }

    /** The kernel keeps 15 characters of the names: "GC Thread#0" (9 and later), "GC task thread#" (8, Parallel). */
    static int collectorThreads() throws Exception {
        int count = 0;
        for (File task : new File("/proc/self/task").listFiles()) {
            String name = new String(Files.readAllBytes(new File(task, "comm").toPath()), StandardCharsets.UTF_8);
            if (name.startsWith("GC Thread#") || name.startsWith("GC task thread#")) {
                count++;
            }
        }
        return count;
    }
}
