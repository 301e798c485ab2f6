import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { benchFolder } from '../measure/inputs.js';
import { printArguments } from '../measure/native.js';

/** Allowed ratio of the server's time to that of the program alone. */
const MOST = 1.1;
const SECTIONS = 10;

const style = `@page { size: A4; margin: 20mm }
body { font: 11pt/1.4 sans-serif }
h2 { color: #0b4f8a; border-bottom: 2px solid; break-after: avoid }
.columns { columns: 2; text-align: justify }
.grid { display: grid; grid-template-columns: repeat(3, 1fr); gap: 4mm }
.grid > div { background: linear-gradient(#eef, #cce); border-radius: 2mm; padding: 3mm }
table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid #999; padding: 1mm 2mm }
tr:nth-child(even) { background: #f4f4f4 }`;

/** Writes a report of ten sections, each with columns, a grid, a table and a drawing. Returns its path. */
export async function reportHtml(): Promise<string> {
  const text = 'The quick brown fox jumps over the lazy dog and comes back to tell of it. '.repeat(8);
  const rowsOf = (n: number): string =>
    Array.from(
      { length: 12 },
      (_each, row) => `<tr><td>Item ${row}</td><td>${row * n}</td><td>in stock</td></tr>`,
    ).join('');
  const section = (n: number): string =>
    [
      `<h2>Section ${n}</h2><div class="columns"><p>${text}</p><p>${text}</p></div>`,
      '<div class="grid"><div>One</div><div>Two</div><div>Three</div></div>\n',
      `<svg viewBox="0 0 100 20" width="400"><rect width="${n * 9}" height="20" fill="#27ae60"/>`,
      '<circle cx="90" cy="10" r="8" fill="none" stroke="#8e44ad"/></svg>\n',
      `<table><tr><th>Item</th><th>Count</th><th>State</th></tr>${rowsOf(n)}</table>`,
    ].join('');
  await mkdir(benchFolder, { recursive: true });
  const file = join(benchFolder, 'report.html');
  await writeFile(
    file,
    `<!doctype html><meta charset="utf-8"><title>Report</title><style>${style}</style><h1>Report</h1>` +
      `${Array.from({ length: SECTIONS }, (_each, i) => section(i + 1)).join('')}`,
  );
  return file;
}

/** HTML with CSS, compared with a browser that is started for it. */
export const htmlCss: Bench = {
  name: 'html-css',
  run: async () => {
    const file = await reportHtml();
    const rows = await compareWithPrograms(
      { what: 'HTML with CSS, 10 sections, to PDF', path: 'convert/html/pdf', inputs: [file], fields: {} },
      [
        {
          command: 'chromium --headless --print-to-pdf',
          program: 'chromium',
          args: printArguments(file, join(benchFolder, 'report.pdf')),
        },
      ],
    );
    return rows.map((row) => ({
      ...row,
      target: `at most ${MOST} times its time`,
      met: row.ratio === undefined ? undefined : row.ratio <= MOST,
    }));
  },
};
