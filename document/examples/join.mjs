// node examples/join.mjs out.pdf a.pdf b.pdf …: merges documents with their bookmarks, forms, labels, layers, tags and
// attachments.
import { basename } from 'node:path';
import { mergeToFile } from '@quire/document/structure/merge';

const [target, ...sources] = process.argv.slice(2);
const { pages } = await mergeToFile(
  sources.map((path) => ({ name: basename(path), path })),
  target,
  { generateToc: true },
);
console.log(`${pages} pages merged`);
