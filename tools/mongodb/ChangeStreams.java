import de.bwaldvogel.mongo.backend.AbstractCursor;
import de.bwaldvogel.mongo.backend.Cursor;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.aggregation.Aggregation;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.oplog.Oplog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Change streams as a replica set of MongoDB has them. Those of mongo-java-server know no streams of a whole database,
 * leave out findAndModify, and answer at once where MongoDB waits for a change. Keeps the last 10,000 changes.
 */
final class ChangeStreams implements Oplog {
  private static final int KEPT = 10_000;
  private static final String WHOLE_DATABASE = ".1";

  private final boolean offered;
  private final CursorRegistry cursors;
  private final Deque<Document> changes = new ArrayDeque<>();
  private long next = 1;

  /** `offered`: false for a server that stands alone, which refuses them as MongoDB does. */
  ChangeStreams(boolean offered, CursorRegistry cursors) {
    this.offered = offered;
    this.cursors = cursors;
  }

  @Override
  public void handleInsert(String namespace, List<Document> documents) {
    for (Document document : documents)
      add(namespace, "insert", document.get("_id"), new Document("fullDocument", document));
  }

  @Override
  public void handleUpdate(String namespace, Document selector, Document update, List<Object> ids) {
    for (Object id : ids) updated(namespace, update, id);
  }

  void updated(String namespace, Document update, Object id) {
    Document fields = new Document();
    boolean replaced = true;
    for (Map.Entry<String, Object> entry : update.entrySet()) {
      if (!entry.getKey().startsWith("$")) continue;
      replaced = false;
      if (!entry.getKey().equals("$unset")) fields.putAll((Document) entry.getValue());
    }
    if (replaced) add(namespace, "replace", id, new Document("fullDocument", update));
    else add(namespace, "update", id, new Document("updateDescription", new Document("updatedFields", fields)));
  }

  @Override
  public void handleDelete(String namespace, Document query, List<Object> ids) {
    for (Object id : ids) add(namespace, "delete", id, new Document());
  }

  @Override
  public void handleDropCollection(String namespace) {
    add(namespace, "drop", null, new Document());
  }

  @Override
  public synchronized Cursor createCursor(Document stage, String namespace, Aggregation aggregation) {
    if (!offered)
      throw new MongoServerError(
          40573, "Location40573", "The $changeStream stage is only supported on replica sets");
    Object token = stage.getOrDefault("resumeAfter", stage.get("startAfter"));
    long from = token == null ? next : Long.parseLong((String) ((Document) token).get("_data")) + 1;
    if (from < next - changes.size())
      throw new MongoServerError(286, "ChangeStreamHistoryLost", "the resume token is no longer in the oplog");
    Stream stream = new Stream(cursors.generateCursorId(), namespace, aggregation, from);
    cursors.add(stream);
    return stream;
  }

  private synchronized void add(String namespace, String type, Object id, Document more) {
    if (!offered) return;
    int dot = namespace.indexOf('.');
    Document change = new Document("_id", new Document("_data", String.valueOf(next++))).append("operationType", type);
    change.append("ns", new Document("db", namespace.substring(0, dot)).append("coll", namespace.substring(dot + 1)));
    if (id != null) change.append("documentKey", new Document("_id", id));
    change.putAll(more);
    changes.add(change);
    if (changes.size() > KEPT) changes.removeFirst();
    notifyAll();
  }

  /** Waits until there are changes for this cursor, at most this long, and while the cursor is open. */
  void await(long cursorId, long milliseconds) {
    if (!isStream(cursorId)) return;
    Stream stream = (Stream) cursors.getCursor(cursorId);
    long until = System.nanoTime() + milliseconds * 1_000_000;
    synchronized (this) {
      while (!stream.look() && System.nanoTime() < until && isStream(cursorId)) {
        try {
          wait(50);
        } catch (InterruptedException error) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private boolean isStream(long cursorId) {
    try {
      return cursors.getCursor(cursorId) instanceof Stream;
    } catch (RuntimeException gone) {
      return false;
    }
  }

  private final class Stream extends AbstractCursor {
    private final String namespace;
    private final Aggregation aggregation;
    private final Deque<Document> found = new ArrayDeque<>();
    private long position;

    Stream(long id, String namespace, Aggregation aggregation, long position) {
      super(id);
      this.namespace = namespace;
      this.aggregation = aggregation;
      this.position = position;
    }

    /** Whether something was found. */
    boolean look() {
      synchronized (ChangeStreams.this) {
        if (position == next) return !found.isEmpty();
        long skipped = position - (next - changes.size());
        position = next;
        found.addAll(aggregation.runStages(changes.stream().skip(Math.max(0, skipped)).filter(this::concerns)));
        return !found.isEmpty();
      }
    }

    private boolean concerns(Document change) {
      Document place = (Document) change.get("ns");
      String database = place.get("db") + ".";
      return namespace.endsWith(WHOLE_DATABASE)
          ? namespace.equals(database + "1")
          : namespace.equals(database + place.get("coll"));
    }

    /** A stream has no end. */
    @Override
    public boolean isEmpty() {
      return false;
    }

    @Override
    public List<Document> takeDocuments(int most) {
      synchronized (ChangeStreams.this) {
        look();
        List<Document> taken = new ArrayList<>();
        while (!found.isEmpty() && (most <= 0 || taken.size() < most)) taken.add(found.removeFirst());
        return taken;
      }
    }
  }
}
