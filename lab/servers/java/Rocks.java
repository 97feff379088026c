package load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Stores of a stream processor, each with RocksDB's defaults: the arguments are how many, and a folder. */
public final class Rocks {
    public static void main(String[] args) throws Exception {
        RocksDB.loadLibrary();
        List<RocksDB> stores = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Path dir = Path.of(args[1], "store" + i);
            Files.createDirectories(dir);
            stores.add(RocksDB.open(new Options().setCreateIfMissing(true), dir.toString()));
        }
        System.out.println("ready");
        Random random = new Random(1);
        byte[] key = new byte[16];
        byte[] value = new byte[1000];
        for (;;) {
            for (RocksDB store : stores) {
                random.nextBytes(key);
                random.nextBytes(value);
                store.put(key, value);
                random.nextBytes(key);
                store.get(key);
            }
        }
    }
}
