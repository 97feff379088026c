package load;

import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.FSDirectory;

/** An index in a folder, written and searched at once. */
public final class Lucene {
    public static void main(String[] args) throws Exception {
        StandardAnalyzer analyzer = new StandardAnalyzer();
        IndexWriter writer = new IndexWriter(FSDirectory.open(Path.of(args[0])), new IndexWriterConfig(analyzer).setRAMBufferSizeMB(64));
        SearcherManager searchers = new SearcherManager(writer, null);
        QueryParser parser = new QueryParser("text", analyzer);
        Random random = new Random(1);
        System.out.println("ready");
        for (int i = 0;; i++) {
            StringBuilder text = new StringBuilder();
            for (int word = 0; word < 200; word++) {
                text.append(Integer.toString((int) Math.abs(random.nextGaussian() * 20_000), 36)).append(' ');
            }
            Document document = new Document();
            document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
            document.add(new TextField("text", text.toString(), Field.Store.YES));
            document.add(new LongPoint("at", i));
            writer.addDocument(document);
            if (i % 1000 == 0) {
                searchers.maybeRefresh();
            }
            if (i % 10 == 0) {
                IndexSearcher searcher = searchers.acquire();
                try {
                    String word = Integer.toString(random.nextInt(20_000), 36);
                    searcher.search(parser.parse(word + " OR " + word + "* AND NOT 3"), 10);
                } finally {
                    searchers.release(searcher);
                }
            }
        }
    }
}
