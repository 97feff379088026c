import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A JVM that uses each region of the memory budget (M1) as told, and then serves requests that leave
 * garbage: threads=N live=MiB direct=MiB classes=N garbage=MiB lives=% pause=ms seconds=N. It says ready when all of
 * it is there, waits for a line, and says done after so many seconds of requests.
 */
public final class Load {
    private static final int MIB = 1 << 20;
    private static final int OBJECT = 1024;

    // What lives, in objects of a KiB: what a collection has to copy and to mark.
    private static Object[] live = new Object[0];
    private static final List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        int direct = number(args, "direct");
        for (int i = 0; i < direct; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(MIB);
            for (int at = 0; at < MIB; at += 4096) {
                buffer.put(at, (byte) 1);
            }
            kept.add(buffer);
        }
        classes(number(args, "classes"));
        threads(number(args, "threads"));
        live = new Object[number(args, "live") * (MIB / OBJECT)];
        for (int i = 0; i < live.length; i++) {
            live[i] = new byte[OBJECT - 24];
        }
        System.out.println("ready");
        System.in.read();
        serve(number(args, "garbage"), number(args, "lives"), number(args, "pause"), number(args, "seconds"));
        System.out.println("done");
    }

    private static int number(String[] args, String name) {
        for (String arg : args) {
            if (arg.startsWith(name + "=")) {
                return Integer.parseInt(arg.substring(name.length() + 1));
            }
        }
        return 0;
    }

    /** Requests that allocate so many MiB each, of which some percent live on in the place of something older. */
    private static void serve(int garbage, int lives, int pause, int seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int at = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < garbage * (MIB / OBJECT); i++) {
                byte[] made = new byte[OBJECT - 24];
                if (i % 100 < lives && live.length > 0) {
                    live[at++ % live.length] = made;
                }
            }
            Thread.sleep(pause);
        }
    }

    /** Threads that have used some of their stacks and wait. */
    private static void threads(int n) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> deep(there, 400));
            thread.setDaemon(true);
            thread.start();
        }
        there.await();
    }

    private static long deep(CountDownLatch there, int more) {
        if (more > 0) {
            return deep(there, more - 1) + more;
        }
        there.countDown();
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /** Classes: one class by a loader of its own each. */
    private static void classes(int n) throws Exception {
        byte[] code = code();
        for (int i = 0; i < n; i++) {
            Class<?> made = new Loader().define(code);
            kept.add(made.getDeclaredConstructor().newInstance());
        }
    }

    private static byte[] code() throws IOException {
        try (InputStream in = Load.class.getResourceAsStream("Load$Filler.class")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        }
    }

    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass("Load$Filler", code, 0, code.length);
        }
    }

    /** What is loaded again and again. */
    public static final class Filler {
        private final String text = "text";

        @Override
        public String toString() {
            return text + System.identityHashCode(this);
        }
    }
}
