package load;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.domain.Pageable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Spring Boot with Tomcat, JPA and a database in memory. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableJpaRepositories(considerNestedRepositories = true)
public class Spring {
    public static void main(String[] args) {
        SpringApplication.run(Spring.class, args);
    }

    /** A row. */
    @Entity(name = "Item")
    public static class Item {
        @Id @GeneratedValue public Long id;
        public String name;
        public int price;
    }

    /** The rows. */
    public interface Items extends JpaRepository<Item, Long> {
        @Query("select i from Item i where i.price > :above order by i.name")
        List<Item> dearerThan(int above, Pageable page);
    }

    /** What the requests ask for. */
    @RestController
    public static class Controller {
        private final Items items;

        public Controller(Items items) {
            this.items = items;
        }

        @PostMapping("/items")
        public Item add(@RequestBody Item item) {
            return items.save(item);
        }

        @GetMapping("/items/{id}")
        public Item one(@PathVariable long id) {
            return items.findById(id).orElse(null);
        }

        @GetMapping("/items")
        public List<Item> some(@RequestParam int above) {
            return items.dearerThan(above, PageRequest.of(0, 200));
        }
    }
}
