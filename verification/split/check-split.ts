// npm run check:split -- <corpus> [--each n] [--match name] [--qpdf n]
//
// Extracts pages of the corpus's good files and compares each part with the whole: no word of another page, no orphaned
// object, every page renders as before.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { qpdfComplaint } from '../../document/test/checks/check-pair.js';
import { checkPart, cutsOf, wholeSource } from '../../document/test/checks/check-part.js';
import { goodFiles } from '../../document/test/checks/choose.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '1' },
    match: { type: 'string' },
    qpdf: { type: 'string', default: '1' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:split -- <corpus>');

const files = goodFiles(resolve(corpus)).filter(
  ({ file, path }, i) =>
    i % Number(values.each) === 0 && existsSync(path) && (values.match === undefined || file.includes(values.match)),
);
const started = performance.now();
let [parts, faulty, unreadable] = [0, 0, 0];
for (const { file, path } of files) {
  const whole = await wholeSource(file, path).catch((error: unknown) => {
    unreadable++;
    process.stdout.write(`${file}: ${String(error)}\n`);
  });
  if (whole === undefined) continue;
  for (const kept of cutsOf(whole.opened.pages.length)) {
    const documentLevel = parts++ % 2 === 1;
    const faults: string[] = [];
    try {
      const { bytes, faults: found } = await checkPart(whole, kept, documentLevel);
      faults.push(...found);
      const complaint = parts % Number(values.qpdf) === 0 ? qpdfComplaint(bytes) : undefined;
      if (complaint !== undefined) faults.push(`qpdf: ${complaint}`);
    } catch (error) {
      faults.push(`threw ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    }
    if (faults.length === 0) continue;
    faulty++;
    process.stdout.write(
      `${file} of ${whole.opened.pages.length} pages, kept ${kept
        .map((index) => index + 1)
        .join(' ')
        .slice(
          0,
          60,
        )}${documentLevel ? ' with the document' : ''}\n${faults.map((fault) => `    ${fault}\n`).join('')}`,
    );
  }
}
process.stdout.write(
  `${files.length} files, ${unreadable} unreadable, ${parts} parts, ${faulty} with faults, ` +
    `${((performance.now() - started) / 1000).toFixed(0)} s\n`,
);
process.exitCode = faulty > 0 ? 1 : 0;
