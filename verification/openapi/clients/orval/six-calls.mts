// Six calls with the client that orval generates (client: fetch); compiled and run beside its `api.ts`.
// six-calls.mts <address of the server> <PDF> <folder for the results>; see ../README.md
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countPages, getJob, getJobResult, mergePdfs, rotatePdf, runPipeline } from './api.js';

const [, , url = '', input = '', output = ''] = process.argv;
// The client calls paths of its own site, as in a browser.
const { fetch: send } = globalThis;
globalThis.fetch = (to, options) => send(new URL(String(to), url), options);

const fileInput = new File([await readFile(input)], 'document.pdf', { type: 'application/pdf' });

const save = async (name: string, { status, data }: { status: number; data: unknown }): Promise<void> => {
  if (!(data instanceof Blob)) throw new Error(`${name}: ${status} ${JSON.stringify(data)}`);
  await writeFile(join(output, name), new Uint8Array(await data.arrayBuffer()));
};

/** Of calls that may return a file the client reads every body as a Blob, whatever its types say. */
const parsed = async <T,>(data: T): Promise<T> => (data instanceof Blob ? (JSON.parse(await data.text()) as T) : data);

await save('rotated.pdf', await rotatePdf({ fileInput, angle: 90 }));

await save('merged.pdf', await mergePdfs({ fileInput: [fileInput, fileInput, fileInput] }));

const json = JSON.stringify({ pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] });
await save('pipeline.pdf', await runPipeline({ json, fileInput: [fileInput] }));

const started = await rotatePdf({ fileInput, angle: 180 }, { headers: { Prefer: 'respond-async' } });
if (started.status !== 202) throw new Error(`job: ${started.status}`);
const { jobId } = await parsed(started.data);
let job = await getJob(jobId, { headers: { Prefer: 'wait=20' } });
for (let i = 0; i < 10 && job.status === 200 && !job.data.complete; i++)
  job = await getJob(jobId, { headers: { Prefer: 'wait=20' } });
await save('job.pdf', await getJobResult(jobId));

const pages = await countPages({ fileInput });
if (pages.status !== 200) throw new Error(`pages: ${pages.status}`);
await writeFile(join(output, 'pages.txt'), String(pages.data.pageCount));

const refused = await rotatePdf({ fileInput, angle: 45 });
if (refused.status !== 400) throw new Error(`refused: ${refused.status}`);
await writeFile(join(output, 'refused.txt'), (await parsed(refused.data)).code);
