// node examples/rotate-pages.mjs in.pdf out.pdf: rotates every page by 90 degrees as an incremental update.
import { editFile } from '@quire/document/file/open';
import { PDFName, PDFNumber } from 'pdf-lib';

const [source, target] = process.argv.slice(2);
const pages = await editFile(source, target, { mode: 'append', repair: false }, ({ pages }) => {
  for (const { dict } of pages) dict.set(PDFName.of('Rotate'), PDFNumber.of(90));
  return pages.length;
});
console.log(`${pages} pages rotated`);
