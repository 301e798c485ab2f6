// node examples/inspect.mjs in.pdf [password]: prints a document's facts and its first objects, reading no more of the
// file than necessary.
import { inspectPdf } from '@quire/document/file/inspection';
import { openLazily } from '@quire/document/file/reader';
import { withSource } from '@quire/document/file/source';

const [path, password] = process.argv.slice(2);
const options = password === undefined ? {} : { password };
console.log(await inspectPdf({ path }, options));
await withSource({ path }, (source) => {
  const document = openLazily(source, options);
  let shown = 0;
  for (const ref of document.references()) {
    console.log(
      `${ref.objectNumber} ${ref.generationNumber}: ` +
        `${String(document.lookup(ref)).slice(0, 70).replaceAll(/\s+/g, ' ')}`,
    );
    if (++shown === 5) break;
  }
});
