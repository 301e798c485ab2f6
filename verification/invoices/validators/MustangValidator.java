import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import org.mustangproject.validator.ValidationResultItem;
import org.mustangproject.validator.ZUGFeRDValidator;

/**
 * Validates hybrid PDFs and XML invoices with Mustang, in one JVM. Reads paths from standard input, one a line, and
 * writes one JSON object a line. Mustang validates PDF/A too, with its own copy of veraPDF.
 */
public final class MustangValidator {
  public static void main(String[] arguments) throws Exception {
    // What Mustang and its libraries print themselves must not get into the answers.
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    LogManager.getLogManager().reset();
    BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String path = paths.readLine(); path != null; path = paths.readLine()) out.println(answer(path));
  }

  private static String answer(String path) {
    ZUGFeRDValidator validator = new ZUGFeRDValidator();
    validator.disableNotices();
    long start = System.nanoTime();
    String report;
    try {
      report = validator.validate(path);
    } catch (RuntimeException failure) {
      return "{\"file\":" + text(path) + ",\"failure\":" + text(String.valueOf(failure)) + "}";
    }
    StringBuilder json = new StringBuilder("{\"file\":").append(text(path));
    json.append(",\"valid\":").append(validator.wasCompletelyValid());
    json.append(",\"wallMs\":").append((System.nanoTime() - start) / 1_000_000);
    json.append(",\"profile\":").append(text(validator.getContext().getProfile()));
    json.append(",\"pdfA\":").append(pdfA(report));
    json.append(",\"faults\":[");
    String separator = "";
    for (ValidationResultItem item : validator.getContext().getResults()) {
      json.append(separator).append(fault(item));
      separator = ",";
    }
    return json.append("]}").toString();
  }

  private static String fault(ValidationResultItem item) {
    return "{\"level\":" + text(String.valueOf(item.getSeverity()))
        + ",\"part\":" + text(String.valueOf(item.getPart()))
        + ",\"rule\":" + text(item.getID())
        + ",\"section\":" + item.getSection()
        + ",\"place\":" + text(item.getLocation())
        + ",\"message\":" + text(item.getMessage()) + "}";
  }

  /** What veraPDF, inside Mustang, found; null for a file that is no PDF. */
  private static Boolean pdfA(String report) {
    int at = report.indexOf("isCompliant=");
    return at < 0 ? null : report.startsWith("true", at + "isCompliant=".length());
  }

  private static String text(String value) {
    if (value == null) return "null";
    StringBuilder json = new StringBuilder("\"");
    for (char character : value.toCharArray()) {
      if (character == '"' || character == '\\') json.append('\\').append(character);
      else if (character < ' ' || character == '\u2028') json.append(String.format("\\u%04x", (int) character));
      else json.append(character);
    }
    return json.append('"').toString();
  }
}
