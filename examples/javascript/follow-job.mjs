// Starts a job and follows its events: node examples/javascript/follow-job.mjs in.pdf
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node examples/javascript/follow-job.mjs in.pdf');
const url = process.env.QUIRE_URL ?? 'http://127.0.0.1:8080';
const headers = { 'X-API-KEY': process.env.QUIRE_API_KEY ?? '' };

const form = new FormData();
form.append('fileInput', await openAsBlob(file), 'in.pdf');
const started = await call('/api/v1/misc/compress-pdf', {
  method: 'POST',
  headers: { Prefer: 'respond-async' },
  body: form,
});
const { jobId } = await started.json();

const events = await call(`/api/v1/general/job/${jobId}/events`);
let last = '';
for await (const piece of events.body.pipeThrough(new TextDecoderStream()))
  for (const [, data] of piece.matchAll(/^data: (.*)$/gm)) {
    const { status, progress } = JSON.parse(data);
    const line = `${status} ${progress} %`;
    if (line !== last) console.log(line);
    last = line;
  }

const result = await call(`/api/v1/general/job/${jobId}/result`);
await writeFile('followed.pdf', Buffer.from(await result.arrayBuffer()));
console.log('wrote followed.pdf');

async function call(path, options = {}) {
  const answer = await fetch(url + path, { ...options, headers: { ...headers, ...options.headers } });
  if (answer.ok) return answer;
  throw new Error(`${answer.status}: ${await answer.text()}`);
}
