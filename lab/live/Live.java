import java.lang.management.ManagementFactory;

/**
 * Live keeps an amount of memory alive, of which a part is replaced all the time, and allocates as much again as it is
 * told. It prints the milliseconds of CPU that the whole process took, and those of the program's own thread.
 */
public class Live {
    static final int PIECE = 1024;

    /** At each hundredth allocation one of the pieces that live is replaced: the rest dies young. */
    static final int REPLACED = 100;

    public static void main(String[] args) {
        var pieces = new byte[Integer.parseInt(args[0]) * 1024][];
        long allocations = Long.parseLong(args[1]) * 1024;
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = new byte[PIECE - 16];
        }
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        work(pieces, allocations / 4); // compiled by then
        long process = system.getProcessCpuTime();
        long own = threads.getCurrentThreadCpuTime();
        work(pieces, allocations);
        own = threads.getCurrentThreadCpuTime() - own;
        System.out.println((system.getProcessCpuTime() - process) / 1_000_000 + " " + own / 1_000_000);
    }

    static void work(byte[][] pieces, long allocations) {
        long random = 1;
        for (long i = 0; i < allocations; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            byte[] fresh = new byte[PIECE - 16];
            for (int at = 0; at < fresh.length; at += 64) {
                fresh[at] = (byte) (random >>> 33); // a program does something with what it allocates
            }
            if (i % REPLACED == 0) {
                pieces[(int) ((random >>> 33) % pieces.length)] = fresh;
            }
        }
    }
}
