// Six calls with the module that openapi-generator (go) generates, which is called example.org/quire/client.
// Run with <address of the server> <PDF> <folder for the results>; see ../README.md
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	quire "example.org/quire/client"
)

const pipeline = `{"pipeline":[{"operation":"/api/v1/general/rotate-pdf","parameters":{"angle":90}}]}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	url, document, output := os.Args[1], os.Args[2], os.Args[3]
	settings := quire.NewConfiguration()
	settings.Servers = quire.ServerConfigurations{{URL: url}}
	client := quire.NewAPIClient(settings)
	ctx := context.Background()
	// The client closes each file that it sends.
	pdf := func() *os.File { return must(os.Open(document)) }
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(output, name), content, 0o600); err != nil {
			panic(err)
		}
	}
	save := func(name string, file *os.File, err error) { write(name, must(io.ReadAll(must(file, err)))) }

	file, _, err := client.GeneralAPI.RotatePdf(ctx).FileInput(pdf()).Angle(90).Execute()
	save("rotated.pdf", file, err)

	file, _, err = client.GeneralAPI.MergePdfs(ctx).FileInput([]*os.File{pdf(), pdf(), pdf()}).Execute()
	save("merged.pdf", file, err)

	file, _, err = client.PipelineAPI.RunPipeline(ctx).FileInput([]*os.File{pdf()}).Json(pipeline).Execute()
	save("pipeline.pdf", file, err)

	// The client knows one type for each call, so the body of 202 is read from the response.
	_, response, err := client.GeneralAPI.RotatePdf(ctx).FileInput(pdf()).Angle(180).Prefer("respond-async").Execute()
	if err != nil || response.StatusCode != 202 {
		panic(fmt.Sprint("job: ", response, err))
	}
	var started quire.JobStarted
	if err := json.NewDecoder(response.Body).Decode(&started); err != nil {
		panic(err)
	}
	for range 10 {
		job, _, err := client.GeneralAPI.GetJob(ctx, started.JobId).Prefer("wait=20").Execute()
		if must(job, err).Complete {
			break
		}
	}
	file, _, err = client.GeneralAPI.GetJobResult(ctx, started.JobId).Execute()
	save("job.pdf", file, err)

	pages, _, err := client.AnalysisAPI.CountPages(ctx).FileInput(pdf()).Execute()
	write("pages.txt", []byte(fmt.Sprint(must(pages, err).PageCount)))

	_, _, err = client.GeneralAPI.RotatePdf(ctx).FileInput(pdf()).Angle(45).Execute()
	var refused *quire.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(fmt.Sprint("refused: ", err))
	}
	write("refused.txt", []byte(refused.Model().(quire.Problem).Code))
}
