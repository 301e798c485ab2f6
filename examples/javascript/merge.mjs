// Merges PDFs: node examples/javascript/merge.mjs out.pdf a.pdf b.pdf …
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

const [target, ...files] = process.argv.slice(2);
if (files.length < 2) throw new Error('Usage: node examples/javascript/merge.mjs out.pdf a.pdf b.pdf …');

const form = new FormData();
for (const file of files) form.append('fileInput', await openAsBlob(file), basename(file));
form.append('sortType', 'orderProvided');

const answer = await fetch(`${process.env.QUIRE_URL ?? 'http://127.0.0.1:8080'}/api/v1/general/merge-pdfs`, {
  method: 'POST',
  headers: { 'X-API-KEY': process.env.QUIRE_API_KEY ?? '' },
  body: form,
});
if (!answer.ok) {
  // Every error is a problem document (RFC 9457): compare `code`, show `detail`.
  const { code, detail } = await answer.json();
  throw new Error(`${answer.status} ${code}: ${detail}`);
}
await writeFile(target, Buffer.from(await answer.arrayBuffer()));
console.log(`wrote ${target}`);
