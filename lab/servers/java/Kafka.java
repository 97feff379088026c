package load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Two producers and two consumers of a broker, with messages of a KiB in 32 partitions. */
public final class Kafka {
    private static final Map<String, Object> broker = Map.of("bootstrap.servers", "127.0.0.1:18080", "group.id", "load",
        "auto.offset.reset", "earliest", "compression.type", "lz4");

    public static void main(String[] args) throws Exception {
        try (Admin admin = Admin.create(broker)) {
            admin.createTopics(List.of(new NewTopic("topic", 32, (short) 1))).all().get();
        }
        for (int i = 0; i < 2; i++) {
            new Thread(Kafka::produce).start();
            new Thread(Kafka::consume).start();
        }
        System.out.println("ready");
    }

    private static void produce() {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(broker, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0;; i++) {
                producer.send(new ProducerRecord<>("topic", new byte[1024]));
                if (i % 100 == 0) {
                    Thread.sleep(20);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void consume() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(broker, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("topic"));
            for (;;) {
                consumer.poll(Duration.ofSeconds(1));
            }
        }
    }
}
