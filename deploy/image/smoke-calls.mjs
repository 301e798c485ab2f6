// node deploy/image/smoke-calls.mjs <address> <slim|full> [emulated]
// Calls a server that runs from the image: a tool, a pipeline, a job, health with the confinement of its workers, and
// in the variant full a conversion by LibreOffice. Prints one line for each call; exits with 1 if one fails.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const [address, variant, emulated] = process.argv.slice(2);
const api = `${address}/api/v1`;
/** How much longer everything may take: qemu runs a server ten times slower. */
const patience = emulated === undefined ? 1 : 10;
const fixture = (path) => readFileSync(new URL(`../../plugins/${path}`, import.meta.url));
let failed = 0;

await ready();
await check('rotate-pdf', async () => {
  const answer = await post('general/rotate-pdf', { angle: '90' }, 'general/fixtures/two-pages.pdf');
  return bytesOf(answer, '/Rotate 90');
});
await check('a pipeline of two steps', async () => {
  const steps = [
    { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 180 } },
    { operation: '/api/v1/misc/compress-pdf', parameters: {} },
  ];
  const json = JSON.stringify({ pipeline: steps });
  return bytesOf(await post('pipeline/handleData', { json }, 'general/fixtures/two-pages.pdf'), '%PDF-');
});
await check('a job', async () => {
  const { jobId } = await (await post('misc/compress-pdf?async=true', {}, 'general/fixtures/two-pages.pdf')).json();
  for (let waited = 0; waited < 600 * patience; waited += 1) {
    const job = await (await fetch(`${api}/general/job/${jobId}`)).json();
    if (job.complete) return job.status === 'succeeded' ? 'succeeded' : fail(JSON.stringify(job));
    await delay(100);
  }
  return fail(`not finished after ${patience} min`);
});
await check('health', async () => {
  const health = await (await fetch(`${address}/actuator/health`)).json();
  const { workers, programs } = health.components;
  const layers = { workers: workers.details.isolation, office: programs.details.libreoffice?.isolation };
  // qemu does not emulate namespaces.
  const confined = ['permissions', 'limits', ...(emulated === undefined ? ['namespaces', 'files'] : [])];
  if (health.status !== 'UP' || !confined.every((layer) => layers.workers.includes(layer)))
    fail(JSON.stringify(health));
  return `UP; layers of workers: ${layers.workers.join(', ')}; of LibreOffice: ${layers.office?.join(', ') ?? 'none'}`;
});
await check(`LibreOffice, ${variant === 'full' ? 'which converts' : 'which is not there'}`, async () => {
  const answer = await post('convert/file/pdf', {}, 'convert/fixtures/letter.docx');
  if (variant === 'full') return bytesOf(answer, '%PDF-');
  const { code } = await answer.json();
  return code === 'PROGRAM_MISSING' ? code : fail(`${answer.status} ${code}`);
});
process.exitCode = failed === 0 ? 0 : 1;

async function ready() {
  for (let waited = 0; waited < 240 * patience; waited += 1) {
    const answer = await fetch(`${address}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await delay(500);
  }
  throw new Error(`${address} was not ready after ${2 * patience} min`);
}

async function post(path, fields, file) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('fileInput', new Blob([fixture(file)]), file.slice(file.lastIndexOf('/') + 1));
  return fetch(`${api}/${path}`, { method: 'POST', body: form });
}

async function bytesOf(answer, expected) {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200 || !bytes.includes(expected)) fail(`${answer.status} ${bytes.subarray(0, 300)}`);
  return `${bytes.length} bytes`;
}

function fail(reason) {
  throw new Error(reason);
}

async function check(name, call) {
  try {
    console.log(`ok: ${name}: ${await call()}`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}: ${error.message}`);
  }
}
