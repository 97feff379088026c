package load;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A broker with its journal in a folder; without one, clients: producers that are faster than the consumers. */
public final class Artemis {
    private static final String URL = "tcp://127.0.0.1:18080";

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            ConfigurationImpl config = new ConfigurationImpl();
            config.setPersistenceEnabled(true).setJournalType(JournalType.NIO).setSecurityEnabled(false);
            config.setJournalDirectory(args[0] + "/journal").setBindingsDirectory(args[0] + "/bindings");
            config.setPagingDirectory(args[0] + "/paging").setLargeMessagesDirectory(args[0] + "/large");
            config.setMaxDiskUsage(-1); // else Artemis refuses messages on a machine whose disk is rather full
            config.addAcceptorConfiguration("tcp", URL);
            EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
            broker.setConfiguration(config);
            broker.start();
            Thread.currentThread().join();
        }
        for (int i = 0; i < 8; i++) {
            String queue = "queue" + i % 4;
            boolean produces = i < 4;
            new Thread(() -> serve(queue, produces)).start();
        }
        System.out.println("ready");
    }

    private static void serve(String name, boolean produces) {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(URL); Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Queue queue = session.createQueue(name);
            MessageProducer producer = produces ? session.createProducer(queue) : null;
            if (produces) {
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            }
            MessageConsumer consumer = produces ? null : session.createConsumer(queue);
            for (int i = 0;; i++) {
                if (produces) {
                    BytesMessage message = session.createBytesMessage();
                    message.writeBytes(new byte[32 << 10]);
                    producer.send(message);
                    Thread.sleep(10);
                } else {
                    consumer.receive(1000);
                    Thread.sleep(50);
                }
            }
        } catch (Exception e) {
            e.printStackTrace();
        }
    }
}
