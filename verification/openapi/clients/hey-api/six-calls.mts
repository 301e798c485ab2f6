// Six calls with the client that @hey-api/openapi-ts generates; compiled and run beside its folder `api`.
// six-calls.mts <address of the server> <PDF> <folder for the results>; see ../README.md
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countPages, getJob, getJobResult, mergePdfs, rotatePdf, runPipeline } from './api/index.js';
import { client } from './api/client.gen.js';

const [, , url = '', input = '', output = ''] = process.argv;
client.setConfig({ baseUrl: url });
const fileInput = new File([await readFile(input)], 'document.pdf', { type: 'application/pdf' });

const save = async (name: string, { data, error }: { data?: unknown; error?: unknown }): Promise<void> => {
  if (!(data instanceof Blob)) throw new Error(`${name}: ${JSON.stringify(error ?? data)}`);
  await writeFile(join(output, name), new Uint8Array(await data.arrayBuffer()));
};

await save('rotated.pdf', await rotatePdf({ body: { fileInput, angle: 90 } }));

await save('merged.pdf', await mergePdfs({ body: { fileInput: [fileInput, fileInput, fileInput] } }));

const json = JSON.stringify({ pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] });
await save('pipeline.pdf', await runPipeline({ body: { json, fileInput: [fileInput] }, parseAs: 'blob' }));

const started = await rotatePdf({ body: { fileInput, angle: 180 }, headers: { Prefer: 'respond-async' } });
if (started.data === undefined || started.data instanceof Blob)
  throw new Error(`job: ${JSON.stringify(started.error)}`);
const path = { jobId: started.data.jobId };
const next = () => getJob({ path, headers: { Prefer: 'wait=20' } });
let job = await next();
for (let i = 0; i < 10 && job.data?.complete === false; i++) job = await next();
await save('job.pdf', await getJobResult({ path, parseAs: 'blob' }));

const pages = await countPages({ body: { fileInput } });
if (pages.data === undefined || !('pageCount' in pages.data)) throw new Error(`pages: ${JSON.stringify(pages.error)}`);
await writeFile(join(output, 'pages.txt'), String(pages.data.pageCount));

const refused = await rotatePdf({ body: { fileInput, angle: 45 } });
await writeFile(join(output, 'refused.txt'), String(refused.error?.code));
