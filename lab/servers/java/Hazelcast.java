package load;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Random;

/** A member with a map of so many entries of a KiB, which are read and written. */
public final class Hazelcast {
    public static void main(String[] args) {
        int entries = Integer.parseInt(args[0]);
        Config config = new Config();
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.getNetworkConfig().setPublicAddress("127.0.0.1");
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getJetConfig().setEnabled(true);
        HazelcastInstance member = com.hazelcast.core.Hazelcast.newHazelcastInstance(config);
        IMap<Integer, byte[]> map = member.getMap("map");
        System.out.println("ready");
        Random random = new Random(1);
        for (int i = 0;; i++) {
            map.set(i < entries ? i : random.nextInt(entries), new byte[1000]);
            map.get(random.nextInt(entries));
        }
    }
}
