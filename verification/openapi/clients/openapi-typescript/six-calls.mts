// Six calls with the client that openapi-typescript types; compiled and run beside the generated `api.d.ts`.
// six-calls.mts <address of the server> <PDF> <folder for the results>; see ../README.md
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , url = '', input = '', output = ''] = process.argv;
const client = createClient<paths>({ baseUrl: url });
const pdf = new File([await readFile(input)], 'document.pdf', { type: 'application/pdf' });
// The types call every binary value a string (its documentation, "Binary").
const file = pdf as unknown as string;

/** Multipart forms are objects in the types; files are sent as they are, lists as repeated fields. */
const form = (fields: object): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) data.append(name, one instanceof Blob ? one : String(one));
  return data;
};
const blobs = { bodySerializer: form, parseAs: 'blob' } as const;

const save = async (name: string, { data, error }: { data?: unknown; error?: unknown }): Promise<void> => {
  if (!(data instanceof Blob)) throw new Error(`${name}: ${JSON.stringify(error)}`);
  await writeFile(join(output, name), new Uint8Array(await data.arrayBuffer()));
};

const rotate = '/api/v1/general/rotate-pdf';
await save('rotated.pdf', await client.POST(rotate, { ...blobs, body: { fileInput: file, angle: 90 } }));

const three = { fileInput: [file, file, file] };
await save('merged.pdf', await client.POST('/api/v1/general/merge-pdfs', { ...blobs, body: three }));

const json = JSON.stringify({ pipeline: [{ operation: rotate, parameters: { angle: 90 } }] });
const run = { ...blobs, body: { json, fileInput: [file] } };
await save('pipeline.pdf', await client.POST('/api/v1/pipeline/handleData', run));

const started = await client.POST(rotate, {
  bodySerializer: form,
  body: { fileInput: file, angle: 180 },
  params: { header: { Prefer: 'respond-async' } },
});
// The types join the bodies of 200 and 202.
if (typeof started.data !== 'object') throw new Error(`job: ${JSON.stringify(started.error)}`);
const path = { jobId: started.data.jobId };
const getJob = () => client.GET('/api/v1/general/job/{jobId}', { params: { path, header: { Prefer: 'wait=20' } } });
let job = await getJob();
for (let i = 0; i < 10 && job.data?.complete === false; i++) job = await getJob();
await save('job.pdf', await client.GET('/api/v1/general/job/{jobId}/result', { params: { path }, parseAs: 'blob' }));

const pages = await client.POST('/api/v1/analysis/page-count', { bodySerializer: form, body: { fileInput: file } });
if (pages.data === undefined || !('pageCount' in pages.data)) throw new Error(`pages: ${JSON.stringify(pages.error)}`);
await writeFile(join(output, 'pages.txt'), String(pages.data.pageCount));

const refused = await client.POST(rotate, { ...blobs, body: { fileInput: file, angle: 45 } });
await writeFile(join(output, 'refused.txt'), String(refused.error?.code));
