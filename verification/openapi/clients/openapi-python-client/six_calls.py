"""Six calls with the package that openapi-python-client generates, which is called quire_client.

six_calls.py <address of the server> <PDF> <folder for the results>; see ../README.md
"""

import json
import sys
from io import BytesIO
from pathlib import Path

from quire_client import Client
from quire_client.api.analysis import count_pages
from quire_client.api.general import get_job, get_job_result, merge_pdfs, rotate_pdf
from quire_client.api.pipeline import run_pipeline
from quire_client.models import (
    CountPagesAnswer,
    CountPagesBody,
    Job,
    JobStarted,
    MergePdfsBody,
    Problem,
    RotatePdfBody,
    RunPipelineBody,
)
from quire_client.types import File

url, document, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
client = Client(base_url=url)


def pdf() -> File:
    return File(payload=BytesIO(document.read_bytes()), file_name=document.name, mime_type="application/pdf")


def save(name: str, result: object) -> None:
    assert isinstance(result, File), result
    (output / name).write_bytes(result.payload.read())


save("rotated.pdf", rotate_pdf.sync(client=client, body=RotatePdfBody(file_input=pdf(), angle=90)))

save("merged.pdf", merge_pdfs.sync(client=client, body=MergePdfsBody(file_input=[pdf(), pdf(), pdf()])))

definition = json.dumps({"pipeline": [{"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 90}}]})
save("pipeline.pdf", run_pipeline.sync(client=client, body=RunPipelineBody(json=definition, file_input=[pdf()])))

started = rotate_pdf.sync(client=client, body=RotatePdfBody(file_input=pdf(), angle=180), prefer="respond-async")
assert isinstance(started, JobStarted), started
for _ in range(10):
    job = get_job.sync(started.job_id, client=client, prefer="wait=20")
    assert isinstance(job, Job), job
    if job.complete:
        break
save("job.pdf", get_job_result.sync(started.job_id, client=client))

pages = count_pages.sync(client=client, body=CountPagesBody(file_input=pdf()))
assert isinstance(pages, CountPagesAnswer), pages
(output / "pages.txt").write_text(str(pages.page_count))

refused = rotate_pdf.sync(client=client, body=RotatePdfBody(file_input=pdf(), angle=45))
assert isinstance(refused, Problem), refused
(output / "refused.txt").write_text(refused.code)
