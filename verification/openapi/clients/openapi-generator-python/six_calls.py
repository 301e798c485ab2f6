"""Six calls with the package that openapi-generator (python) generates, which is called quire_client.

six_calls.py <address of the server> <PDF> <folder for the results>; see ../README.md
"""

import json
import sys
from pathlib import Path

from quire_client import AnalysisApi, ApiClient, ApiException, Configuration, GeneralApi, PipelineApi
from quire_client.models import JobStarted, Problem

url, document, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
client = ApiClient(Configuration(host=url))
general = GeneralApi(client)
pdf = (document.name, document.read_bytes())

(output / "rotated.pdf").write_bytes(general.rotate_pdf(pdf, angle=90))

(output / "merged.pdf").write_bytes(general.merge_pdfs([pdf, pdf, pdf]))

definition = json.dumps({"pipeline": [{"operation": "/api/v1/general/rotate-pdf", "parameters": {"angle": 90}}]})
(output / "pipeline.pdf").write_bytes(PipelineApi(client).run_pipeline(file_input=[pdf], var_json=definition))

# The client returns the body of 202 as it came, since it knows one type for each call.
answer = general.rotate_pdf_without_preload_content(pdf, angle=180, prefer="respond-async")
assert answer.status == 202, answer.status
started = JobStarted.from_json(answer.read())
assert started is not None
for _ in range(10):
    job = general.get_job(started.job_id, prefer="wait=20")
    if job.complete:
        break
(output / "job.pdf").write_bytes(general.get_job_result(started.job_id))

pages = AnalysisApi(client).count_pages(pdf)
(output / "pages.txt").write_text(str(pages.page_count))

try:
    general.rotate_pdf(pdf, angle=45)
    raise SystemExit("an angle of 45 was accepted")
except ApiException as error:
    assert isinstance(error.data, Problem), error
    (output / "refused.txt").write_text(error.data.code)
