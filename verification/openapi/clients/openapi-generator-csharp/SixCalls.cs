using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using Newtonsoft.Json;
using Quire.Api;
using Quire.Client;
using Quire.Model;

/// <summary>
/// Six calls with the classes that openapi-generator (csharp, httpclient) generates. Arguments: address of the server,
/// PDF, folder for the results; see ../README.md
/// </summary>
public static class SixCalls
{
    private const string Pipeline =
        "{\"pipeline\":[{\"operation\":\"/api/v1/general/rotate-pdf\",\"parameters\":{\"angle\":90}}]}";

    private static string input;
    private static string output;

    public static void Main(string[] arguments)
    {
        input = arguments[1];
        output = arguments[2];
        using (var http = new HttpClient()) Call(http, arguments[0]);
    }

    private static void Call(HttpClient http, string address)
    {
        var general = new GeneralApi(http, address);

        Save("rotated.pdf", general.RotatePdf(Pdf(), angle: 90));
        Save("merged.pdf", general.MergePdfs(new List<FileParameter> { Pdf(), Pdf(), Pdf() }));
        var pipeline = new PipelineApi(http, address);
        Save("pipeline.pdf", pipeline.RunPipeline(new List<FileParameter> { Pdf() }, Pipeline));

        // The client knows one type for each call, so the body of 202 is a file with JSON.
        var answer = general.RotatePdfWithHttpInfo(Pdf(), prefer: "respond-async", angle: 180);
        if (answer.StatusCode != HttpStatusCode.Accepted) throw new Exception("job: " + answer.StatusCode);
        var body = new StreamReader(answer.Data.Content).ReadToEnd();
        var jobId = JsonConvert.DeserializeObject<JobStarted>(body).JobId;
        for (var i = 0; i < 10 && !general.GetJob(jobId, "wait=20").Complete; i++) { }
        Save("job.pdf", general.GetJobResult(jobId));

        var pages = new AnalysisApi(http, address).CountPages(Pdf()).PageCount;
        File.WriteAllText(Path.Combine(output, "pages.txt"), pages.ToString());

        try
        {
            general.RotatePdf(Pdf(), angle: 45);
        }
        catch (ApiException refused)
        {
            var problem = JsonConvert.DeserializeObject<Problem>((string)refused.ErrorContent);
            File.WriteAllText(Path.Combine(output, "refused.txt"), problem.Code);
            return;
        }
        throw new Exception("an angle of 45 was accepted");
    }

    private static FileParameter Pdf()
    {
        return new FileParameter("input.pdf", "application/pdf", File.OpenRead(input));
    }

    private static void Save(string name, FileParameter file)
    {
        using (var target = File.Create(Path.Combine(output, name))) file.Content.CopyTo(target);
    }
}
