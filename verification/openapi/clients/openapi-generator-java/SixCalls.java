import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.AnalysisApi;
import org.openapitools.client.api.GeneralApi;
import org.openapitools.client.api.PipelineApi;
import org.openapitools.client.model.JobStarted;
import org.openapitools.client.model.Problem;

/**
 * Six calls with the classes that openapi-generator (java, okhttp-gson) generates. Arguments: address of the server, PDF,
 * folder for the results; see ../README.md
 */
public final class SixCalls {
  private static final String PIPELINE =
      "{\"pipeline\":[{\"operation\":\"/api/v1/general/rotate-pdf\",\"parameters\":{\"angle\":90}}]}";

  private static Path output;

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(arguments[0]);
    File pdf = new File(arguments[1]);
    output = Path.of(arguments[2]);
    GeneralApi general = new GeneralApi(client);

    save("rotated.pdf", general.rotatePdf(pdf, null, null, null, 90L, null, null));
    save("merged.pdf", general.mergePdfs(List.of(pdf, pdf, pdf), null, null, null, null, null, null, null, null, null));
    save("pipeline.pdf", new PipelineApi(client).runPipeline(List.of(pdf), PIPELINE, null, null, null, null));

    // The client knows one type for each call, so the body of 202 is a file with JSON.
    ApiResponse<File> answer =
        general.rotatePdfWithHttpInfo(pdf, null, "respond-async", null, 180L, null, null);
    if (answer.getStatusCode() != 202) throw new IllegalStateException("job: " + answer.getStatusCode());
    String jobId = JobStarted.fromJson(Files.readString(answer.getData().toPath())).getJobId();
    for (int i = 0; i < 10 && !general.getJob(jobId, "wait=20").getComplete(); i++);
    save("job.pdf", general.getJobResult(jobId));

    long pages = new AnalysisApi(client).countPages(pdf, null, null, null, null, null).getPageCount();
    Files.writeString(output.resolve("pages.txt"), String.valueOf(pages));

    try {
      general.rotatePdf(pdf, null, null, null, 45L, null, null);
      throw new IllegalStateException("an angle of 45 was accepted");
    } catch (ApiException refused) {
      Files.writeString(output.resolve("refused.txt"), Problem.fromJson(refused.getResponseBody()).getCode());
    }
    // Idle connections keep the process alive.
    client.getHttpClient().connectionPool().evictAll();
    client.getHttpClient().dispatcher().executorService().shutdown();
  }

  private static void save(String name, File file) throws Exception {
    Files.copy(file.toPath(), output.resolve(name));
  }
}
