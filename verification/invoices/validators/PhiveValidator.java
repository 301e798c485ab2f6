import com.helger.diagnostics.error.IError;
import com.helger.diver.api.coord.DVRCoordinate;
import com.helger.io.resource.FileSystemResource;
import com.helger.phive.api.executor.IValidationExecutor;
import com.helger.phive.api.executorset.IValidationExecutorSet;
import com.helger.phive.api.executorset.ValidationExecutorSetRegistry;
import com.helger.phive.api.result.ValidationResult;
import com.helger.phive.api.validity.IValidityDeterminator;
import com.helger.phive.en16931.EN16931Validation;
import com.helger.phive.xml.source.IValidationSourceXML;
import com.helger.phive.xml.source.ValidationSourceXML;
import com.helger.phive.xrechnung.XRechnungValidation;
import com.helger.phive.zugferd.ZugferdValidation;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Validates XML invoices with the published artefacts, by phive, in one JVM. Reads requests from standard input, one a
 * line: the names of rule sets, joined by "+", a tab, and a path. Writes one JSON object a line. "list" writes the
 * names of all rule sets. Every schema and every set of rules runs, also after one that found faults: a fault in the
 * syntax would otherwise hide those in the content.
 */
public final class PhiveValidator {
  private static final ValidationExecutorSetRegistry<IValidationSourceXML> SETS = new ValidationExecutorSetRegistry<>();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static final com.sun.management.OperatingSystemMXBean MACHINE =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] arguments) throws Exception {
    EN16931Validation.initEN16931(SETS);
    XRechnungValidation.initXRechnung(SETS);
    ZugferdValidation.initZugferd(SETS);
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      if (line.equals("list")) {
        SETS.getAll().forEach(set -> OUT.println(set.getID().getAsSingleID()));
        OUT.println();
        continue;
      }
      String[] parts = line.split("\t");
      OUT.println(answer(parts[0], parts[1]));
    }
  }

  private static String answer(String sets, String path) {
    StringBuilder json = new StringBuilder("{\"file\":").append(text(path)).append(",\"sets\":").append(text(sets));
    long wall = System.nanoTime();
    long cpu = MACHINE.getProcessCpuTime();
    try {
      String faults = faults(executors(sets), path);
      json.append(",\"wallMs\":").append(milliseconds(System.nanoTime() - wall));
      json.append(",\"cpuMs\":").append(milliseconds(MACHINE.getProcessCpuTime() - cpu));
      json.append(",\"faults\":[").append(faults).append(']');
    } catch (Exception failure) {
      json.append(",\"failure\":").append(text(String.valueOf(failure)));
    }
    return json.append('}').toString();
  }

  /** The schemas and rules of all named sets, each once. */
  private static Map<String, IValidationExecutor<IValidationSourceXML>> executors(String sets) {
    Map<String, IValidationExecutor<IValidationSourceXML>> executors = new LinkedHashMap<>();
    for (String name : sets.split("\\+")) {
      IValidationExecutorSet<IValidationSourceXML> set = SETS.getOfID(DVRCoordinate.parseOrNull(name));
      if (set == null) throw new IllegalArgumentException("unknown set of rules: " + name);
      for (IValidationExecutor<IValidationSourceXML> executor : set.getAllExecutors()) {
        executors.putIfAbsent(executor.getValidationArtefact().getRuleResourcePath(), executor);
      }
    }
    return executors;
  }

  private static String faults(Map<String, IValidationExecutor<IValidationSourceXML>> executors, String path) {
    ValidationSourceXML source = ValidationSourceXML.create(new FileSystemResource(new File(path)));
    if (source.getNode() == null) throw new IllegalArgumentException("no well-formed XML");
    StringBuilder json = new StringBuilder();
    executors.forEach((artefact, executor) -> {
      ValidationResult result =
          executor.applyValidation(source, IValidityDeterminator.createDefault(), Locale.ENGLISH);
      for (IError error : result.getErrorList()) {
        if (json.length() > 0) json.append(',');
        json.append(fault(artefact, error));
      }
    });
    return json.toString();
  }

  private static String fault(String artefact, IError error) {
    return "{\"artefact\":" + text(artefact)
        + ",\"rule\":" + text(error.getErrorID())
        + ",\"level\":" + text(error.getErrorLevel().getID())
        + ",\"place\":" + text(error.getErrorFieldName())
        + ",\"line\":" + (error.hasErrorLocation() ? error.getErrorLocation().getLineNumber() : -1)
        + ",\"message\":" + text(error.getErrorText(Locale.ENGLISH)) + "}";
  }

  private static String milliseconds(long nanoseconds) {
    return String.format(Locale.ROOT, "%.3f", nanoseconds / 1e6);
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
