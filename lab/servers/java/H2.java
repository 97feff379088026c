package load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Random;

/** Clients of an H2 server: so many connections that insert, join and count. */
public final class H2 {
    public static void main(String[] args) throws Exception {
        try (Connection c = connect()) {
            c.createStatement().execute("create table orders(id int primary key, customer int, total int, text varchar)");
            c.createStatement().execute("create index by_customer on orders(customer)");
        }
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            int number = i;
            new Thread(() -> serve(number)).start();
        }
        System.out.println("ready");
    }

    private static Connection connect() throws Exception {
        return DriverManager.getConnection("jdbc:h2:tcp://127.0.0.1:18080/mem:load;DB_CLOSE_DELAY=-1", "sa", "");
    }

    private static void serve(int number) {
        Random random = new Random(number);
        try (Connection c = connect();
                PreparedStatement insert = c.prepareStatement("insert into orders values(?, ?, ?, ?)");
                PreparedStatement join = c.prepareStatement("select a.customer, sum(b.total) from orders a join orders b"
                    + " on a.customer = b.customer where a.customer = ? group by a.customer order by 2")) {
            for (int i = 0;; i++) {
                insert.setInt(1, number * 10_000_000 + i);
                insert.setInt(2, random.nextInt(20_000));
                insert.setInt(3, random.nextInt(1000));
                insert.setString(4, "x".repeat(random.nextInt(300)));
                insert.execute();
                join.setInt(1, random.nextInt(20_000));
                try (ResultSet rows = join.executeQuery()) {
                    rows.next();
                }
                Thread.sleep(2);
            }
        } catch (Exception e) {
            e.printStackTrace();
        }
    }
}
