// node examples/merge.mjs out.pdf a.pdf b.pdf ...: merges documents with bookmarks, forms, layers, tags, attachments.
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
