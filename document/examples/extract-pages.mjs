// node examples/extract-pages.mjs in.pdf out.pdf 1 3: copies these pages, with all they need, into a new document.
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
