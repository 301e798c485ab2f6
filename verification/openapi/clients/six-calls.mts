// Six calls with the client that openapi-typescript types. Compiled and run beside the generated `api.d.ts`:
// six-calls.mts <address of the server> <folder of the checkout>
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , url = '', checkout = ''] = process.argv;
const client = createClient<paths>({ baseUrl: url });
const pdf = new Blob([await readFile(join(checkout, 'core', 'openapi', 'fixtures', 'two-pages.pdf'))]);

/** Multipart forms are objects in the types; `File` values are sent as files, lists as repeated fields. */
const form = (fields: object): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) data.append(name, one instanceof Blob ? one : String(one), ...fileName(one));
  return data;
};
const fileName = (value: unknown): [string] | [] => (value instanceof Blob ? ['document.pdf'] : []);
// The types call every binary value a string (its documentation, "Binary").
const file = pdf as unknown as string;

const expectPdf = (what: string, blob: Blob | undefined): void => {
  if (blob === undefined || blob.size === 0) throw new Error(`${what}: no file`);
  console.log(`${what}: ${blob.size} bytes`);
};
const blobs = { bodySerializer: form, parseAs: 'blob' } as const;

const rotated = await client.POST('/api/v1/general/rotate-pdf', { ...blobs, body: { fileInput: file, angle: 90 } });
expectPdf('rotate', rotated.data);

const merged = await client.POST('/api/v1/general/merge-pdfs', { ...blobs, body: { fileInput: [file, file, file] } });
expectPdf('merge', merged.data);

const json = JSON.stringify({ pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] });
const run = await client.POST('/api/v1/pipeline/handleData', { ...blobs, body: { json, fileInput: [file] } });
expectPdf('pipeline', run.data);

const started = await client.POST('/api/v1/general/rotate-pdf', {
  bodySerializer: form,
  body: { fileInput: file, angle: 180 },
  params: { header: { Prefer: 'respond-async' } },
});
// The client's types join the bodies of 200 and 202.
const { jobId } = started.data as Extract<typeof started.data, { jobId: string }>;
const path = { jobId };
const job = await client.GET('/api/v1/general/job/{jobId}', { params: { path, header: { Prefer: 'wait=20' } } });
if (job.data?.complete !== true) throw new Error(`job: ${JSON.stringify(job.error ?? job.data)}`);
const result = await client.GET('/api/v1/general/job/{jobId}/result', { params: { path }, parseAs: 'blob' });
expectPdf('job', result.data as Blob | undefined);

const pages = await client.POST('/api/v1/analysis/page-count', { bodySerializer: form, body: { fileInput: file } });
if (pages.data?.pageCount !== 2) throw new Error(`JSON: ${JSON.stringify(pages.error ?? pages.data)}`);

const refused = await client.POST('/api/v1/general/rotate-pdf', {
  ...blobs,
  body: { fileInput: file, angle: 45 },
});
if (refused.error?.code !== 'INPUT_INVALID') throw new Error(`refused: ${JSON.stringify(refused.error)}`);
console.log(`refused: ${refused.error.detail}`);
