import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.oplog.Oplog;
import io.netty.channel.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

/**
 * mongo-java-server as a program with the options of mongod that tests use: --dbpath, --port (0: a free one),
 * --bind_ip and --replSet (has change streams; it is still the only server). Prints its address on one line when it
 * listens. With --until-stdin-ends it exits with the process that started it. An acknowledged write survives kill -9.
 */
public final class MongoServerForTests {
  private static final Set<String> WRITES =
      Set.of(
          "insert", "update", "delete", "findAndModify",
          "createIndexes", "dropIndexes", "drop", "dropDatabase", "create");
  /** A connection that waits for a change keeps its thread. */
  private static final String THREADS = "256";
  private static final int AWAIT_MS = 1000;

  public static void main(String[] arguments) throws Exception {
    String folder = ".";
    String address = "127.0.0.1";
    int port = 27017;
    boolean untilStdinEnds = false;
    boolean replicaSet = false;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--dbpath" -> folder = arguments[++i];
        case "--bind_ip" -> address = arguments[++i];
        case "--port" -> port = Integer.parseInt(arguments[++i]);
        case "--replSet" -> replicaSet = !arguments[++i].isEmpty();
        case "--until-stdin-ends" -> untilStdinEnds = true;
        default -> {
          System.err.println(
              "unknown argument: " + arguments[i]
                  + " (known: --dbpath, --bind_ip, --port, --replSet, --until-stdin-ends)");
          System.exit(2);
        }
      }
    }
    Files.createDirectories(Path.of(folder));
    MVStore store = MVStore.open(Path.of(folder, "store.mv").toString());
    if (replicaSet) System.setProperty("io.netty.eventLoopThreads", THREADS);
    Backend backend = new Backend(store, replicaSet);
    backend.version(new Version());
    MongoServer server = new MongoServer(backend);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    server.bind(address, port);
    System.out.println("listening on " + server.getConnectionString() + "/");
    if (untilStdinEnds) {
      while (System.in.read() >= 0) {
        continue;
      }
      System.exit(0);
    }
  }

  private static final class Backend extends H2Backend {
    private final MVStore store;
    private final ChangeStreams streams;

    Backend(MVStore store, boolean replicaSet) {
      super(store);
      this.store = store;
      streams = new ChangeStreams(replicaSet, getCursorRegistry());
      enableOplog();
    }

    @Override
    protected Oplog createOplog() {
      return streams;
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      // H2Backend does not know `hello`, the newer name of `isMaster`; the store reads the server's time with it.
      Document answer = super.handleCommand(channel, database, command.equals("hello") ? "isMaster" : command, query);
      if (command.equals("findAndModify") && answer.get("value") instanceof Document found)
        noteChange(database + "." + query.get(command), query, found.get("_id"));
      if (WRITES.contains(command)) store.commit();
      return answer;
    }

    private void noteChange(String namespace, Document query, Object id) {
      if (query.get("update") instanceof Document update) streams.updated(namespace, update, id);
      else streams.handleDelete(namespace, query, List.of(id));
    }

    @Override
    protected Document handleGetMore(String database, String command, Document query) {
      streams.await(((Number) query.get(command)).longValue(), number(query.get("maxTimeMS"), AWAIT_MS));
      return super.handleGetMore(database, command, query);
    }

    private static long number(Object value, long otherwise) {
      return value instanceof Number given ? given.longValue() : otherwise;
    }
  }

  /** The oldest version that current drivers accept. */
  private static final class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }
}
