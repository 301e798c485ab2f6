// node examples/extract-pages.mjs in.pdf out.pdf 1 3: a new document of these pages, with everything they need and nothing
// of any other page.
import { withPdf } from '@quire/document/file/open';
import { extractToFile } from '@quire/document/structure/split';

const [source, target, ...numbers] = process.argv.slice(2);
await withPdf({ path: source }, {}, (opened) =>
  extractToFile(
    opened,
    numbers.map((number) => Number(number) - 1),
    target,
  ),
);
console.log(`${numbers.length} pages extracted`);
