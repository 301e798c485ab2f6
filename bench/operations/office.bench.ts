import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { textDocument } from '../../plugins/convert/test/office-samples.js';
import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { benchFolder } from '../measure/inputs.js';

/** A running LibreOffice must be this many times faster than one that is started for the document. */
const TIMES = 3;
const LINES = 46;

/**
 * Writes a text document of this many full pages: a heading, a table of three columns and paragraphs on each. Returns
 * its path.
 */
export async function officeDocument(pages: number): Promise<string> {
  const run = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  const cell = (text: string): string => `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${run(text)}</w:tc>`;
  const row = (number: number, index: number): string =>
    `<w:tr>${cell(`Item ${index}`)}${cell(`${number * index}`)}${cell('in stock')}</w:tr>`;
  const page = (number: number): string =>
    [
      `<w:p><w:pPr><w:outlineLvl w:val="0"/>${number === 1 ? '' : '<w:pageBreakBefore/>'}</w:pPr><w:r><w:rPr>` +
        `<w:b/><w:sz w:val="32"/></w:rPr><w:t>Chapter ${number}</w:t></w:r></w:p>`,
      `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/></w:tblPr>` +
        `${Array.from({ length: 5 }, (_, index) => row(number, index)).join('')}</w:tbl>`,
      ...Array.from({ length: LINES / 2 - 4 }, (_, line) =>
        run(
          `Line ${line} of page ${number}: the quick brown fox jumps over the lazy dog and comes back to tell of it.`,
        ),
      ),
    ].join('');
  await mkdir(benchFolder, { recursive: true });
  const file = join(benchFolder, `document-${pages}.docx`);
  await writeFile(
    file,
    await textDocument({ body: Array.from({ length: pages }, (_, index) => page(index + 1)).join('') }),
  );
  return file;
}

const bench = (name: string, what: string, pages: number): Bench => ({
  name,
  run: async () => {
    const file = await officeDocument(pages);
    // An existing profile, as for somebody who uses the program daily.
    const profile = `-env:UserInstallation=${pathToFileURL(join(benchFolder, 'office-profile')).href}`;
    const rows = await compareWithPrograms({ what, path: 'convert/file/pdf', inputs: [file], fields: {} }, [
      {
        command: 'soffice --convert-to pdf',
        program: 'soffice',
        args: [profile, '--headless', '--convert-to', 'pdf', file],
      },
    ]);
    return rows.map((row) => ({
      ...row,
      target: `${TIMES} times faster`,
      met: row.ratio === undefined ? undefined : row.ratio <= 1 / TIMES,
    }));
  },
});

/** Twenty pages: layout takes a notable share of the time. */
export const office20 = bench('office-20', 'DOCX of 20 pages to PDF', 20);

/** One page: starting the program takes nearly all the time. */
export const officeLetter = bench('office-letter', 'DOCX of 1 page to PDF', 1);
