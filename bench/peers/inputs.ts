import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { benchFolder, cached, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';

const FORM_PAGES = 5;
const FIELDS_A_PAGE = 20;
const SECTIONS = 10;

/** Arguments of qpdf that encrypt with AES-256. */
export const LOCK = ['--encrypt', 'user', 'owner', '256', '--'] as const;

/** Returns a file of 100 pages that qpdf encrypted with AES-256. */
export async function lockedPdf(): Promise<string> {
  const path = join(benchFolder, 'peers-locked-100.pdf');
  await runProgram('qpdf', [...LOCK, await textPdf(100), path], benchFolder);
  return path;
}

/** Creates a form of 5 pages with 20 filled fields each. Returns its path. */
export function formPdf(): Promise<string> {
  return cached('peers-form.pdf', async () => {
    const document = await PDFDocument.create();
    const form = document.getForm();
    for (let page = 0; page < FORM_PAGES; page++) {
      const target = document.addPage([595, 842]);
      for (let n = 0; n < FIELDS_A_PAGE; n++) {
        const place = { x: 60, y: 780 - n * 36, width: 300, height: 20 };
        const field = form.createTextField(`page${page}.text${n}`);
        field.setText(`Value ${n} on page ${page + 1}`);
        field.addToPage(target, place);
      }
    }
    return document.save();
  });
}

const sentence = 'The quick brown fox jumps over the lazy dog and comes back to tell of it. '.repeat(8);
const sections = Array.from({ length: SECTIONS }, (_, i) => i + 1);
const rows = Array.from({ length: 12 }, (_, i) => i + 1);

/** Writes a text of ten sections with lists and tables in Markdown. Returns its path. */
export async function notesMarkdown(): Promise<string> {
  const section = (n: number): string =>
    `## Section ${n}\n\n${sentence}\n\n- One\n- **Two**\n- \`Three\`\n\n| Item | Count |\n|---|--:|\n` +
    rows.map((row) => `| Item ${row} | ${row * n} |\n`).join('');
  return written('peers-notes.md', `# Notes\n\n${sections.map(section).join('\n')}`);
}

/** The same text in HTML, for the browser alone. */
export async function notesHtml(): Promise<string> {
  const section = (n: number): string =>
    `<h2>Section ${n}</h2><p>${sentence}</p><ul><li>One<li><b>Two</b><li><code>Three</code></ul>` +
    `<table><tr><th>Item<th>Count</tr>${rows.map((row) => `<tr><td>Item ${row}<td>${row * n}</tr>`).join('')}</table>`;
  return written(
    'peers-notes.html',
    `<!doctype html><title>Notes</title><h1>Notes</h1>${sections.map(section).join('')}`,
  );
}

/** The page that Gotenberg wants around Markdown. */
export async function markdownFrame(): Promise<string> {
  return written(
    'peers-frame.html',
    '<!doctype html><html><head><meta charset="utf-8"><title>Notes</title></head><body>' +
      '{{ toHTML "notes.md" }}</body></html>',
  );
}

async function written(name: string, text: string): Promise<string> {
  await mkdir(benchFolder, { recursive: true });
  const path = join(benchFolder, name);
  await writeFile(path, text);
  return path;
}
