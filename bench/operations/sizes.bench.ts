import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench, BenchRow } from '../measure/bench.js';
import { Client, multipart } from '../measure/client.js';
import { benchFolder, blackAndWhitePdf, textPdf } from '../measure/inputs.js';
import { printArguments, runProgram } from '../measure/native.js';
import { withServer } from '../measure/with-server.js';
import { reportHtml } from './html.bench.js';
import { officeDocument } from './office.bench.js';

/** A program whose result is compared by size. */
interface Rival {
  /** As shown in the table. */
  readonly command: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The name of its result, in the folder that it runs in. */
  readonly output: string;
}

interface Case {
  readonly what: string;
  readonly path: string;
  readonly inputs: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly rivals: readonly Rival[];
}

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(bytes < 102_400 ? 1 : 0)} KB`;

const browser = (page: string, tagged: boolean): Rival => ({
  command: `chromium --headless --print-to-pdf${tagged ? ', tagged, with bookmarks' : ' --disable-pdf-tagging'}`,
  program: 'chromium',
  args: printArguments(page, 'out.pdf', tagged ? '--generate-pdf-document-outline' : '--disable-pdf-tagging'),
  output: 'out.pdf',
});

const office = (file: string, tagged: boolean): Rival => ({
  command: `soffice --convert-to pdf${tagged ? ', tagged' : ''}`,
  program: 'soffice',
  args: [
    `-env:UserInstallation=${pathToFileURL(join(benchFolder, 'office-profile')).href}`,
    '--headless',
    '--convert-to',
    tagged ? 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}' : 'pdf',
    file,
  ],
  output: file.replace(/^.*\/(.*)\.docx$/, '$1.pdf'),
});

const qpdf = (command: string, args: readonly string[]): Rival => ({
  command: `qpdf ${command}`,
  program: 'qpdf',
  args: [...args, 'out.pdf'],
  output: 'out.pdf',
});

/** Writes a Markdown file of ten sections with a list, a table and code in each. Returns its path. */
async function notes(): Promise<string> {
  const text = 'The quick brown fox jumps over the lazy dog and comes back to tell of it. '.repeat(8);
  const rows = Array.from({ length: 12 }, (_, row) => `| Item ${row} | ${row * 7} | in stock |`).join('\n');
  const section = (n: number): string =>
    `## Section ${n}\n\n${text}\n\nA [link](https://example.org/${n}), *emphasis* and \`code\`.\n\n- one\n- two\n\n` +
    `| Item | Count | State |\n|---|---|---|\n${rows}\n\n\`\`\`js\nconst n = ${n};\n\`\`\`\n`;
  await mkdir(benchFolder, { recursive: true });
  const file = join(benchFolder, 'notes.md');
  await writeFile(file, `# Notes\n\n${Array.from({ length: 10 }, (_, i) => section(i + 1)).join('\n')}`);
  return file;
}

async function cases(): Promise<Case[]> {
  const [html, docx, long, fax] = [
    await reportHtml(),
    await officeDocument(20),
    await textPdf(500),
    await blackAndWhitePdf(),
  ];
  const twenty = await Promise.all(Array.from({ length: 20 }, (_, i) => textPdf(10, `part${i}`)));
  return [
    {
      what: 'HTML of 10 sections to PDF (tagged, with bookmarks)',
      path: 'convert/html/pdf',
      inputs: [html],
      rivals: [browser(html, true), browser(html, false)],
    },
    { what: 'Markdown of 10 sections to PDF', path: 'convert/markdown/pdf', inputs: [await notes()], rivals: [] },
    {
      what: 'DOCX of 20 pages to PDF (tagged, with bookmarks)',
      path: 'convert/file/pdf',
      inputs: [docx],
      rivals: [office(docx, true), office(docx, false)],
    },
    {
      what: 'Rotate 500 pages (an update is appended)',
      path: 'general/rotate-pdf',
      inputs: [long],
      fields: { angle: '90' },
      rivals: [qpdf('--rotate=+90', [long, '--rotate=+90'])],
    },
    {
      what: 'Rearrange 500 pages',
      path: 'general/rearrange-pages',
      inputs: [long],
      fields: { customMode: 'REVERSE_ORDER' },
      rivals: [
        qpdf('--pages z-1', [long, '--pages', '.', 'z-1', '--']),
        qpdf('--pages z-1 --object-streams=generate', [long, '--object-streams=generate', '--pages', '.', 'z-1', '--']),
      ],
    },
    {
      what: 'Merge 20 files of 10 pages',
      path: 'general/merge-pdfs',
      inputs: twenty,
      rivals: [qpdf('--empty --pages', ['--empty', '--pages', ...twenty, '--'])],
    },
    {
      what: 'Compress 2 black and white scans without loss, level 1',
      path: 'misc/compress-pdf',
      inputs: [fax],
      fields: { optimizeLevel: '1' },
      rivals: [
        {
          command: 'gs -sDEVICE=pdfwrite',
          program: 'gs',
          args: ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-sOutputFile=out.pdf', fax],
          output: 'out.pdf',
        },
        qpdf('--object-streams=generate --recompress-flate', ['--object-streams=generate', '--recompress-flate', fax]),
      ],
    },
  ];
}

async function sizeOfRival({ program, args, output }: Rival): Promise<number> {
  const folder = join(benchFolder, 'out');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await runProgram(program, args, folder);
    return (await stat(join(folder, output))).size;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowsOf(client: Client, { what, path, inputs, fields = {}, rivals }: Case): Promise<BenchRow[]> {
  const ours = await client.post(`/api/v1/${path}`, await multipart(inputs, fields));
  const row = { what: `Size: ${what}`, ours: kb(ours), target: '', met: undefined };
  if (rivals.length === 0) return [{ ...row, native: '', ratio: undefined }];
  const rows: BenchRow[] = [];
  for (const rival of rivals) {
    const theirs = await sizeOfRival(rival);
    rows.push({ ...row, native: `${kb(theirs)} (\`${rival.command}\`)`, ratio: ours / theirs });
  }
  // The first program makes a document of the same content.
  const [first, ...others] = rows;
  return first === undefined
    ? rows
    : [{ ...first, target: 'at most 1.01', met: (first.ratio ?? Number.NaN) <= 1.01 }, ...others];
}

/** Sizes of results, next to those of the programs that do the same. */
export const sizes: Bench = {
  name: 'sizes',
  run: async () => {
    const found: BenchRow[] = [];
    const all = await cases();
    await withServer(async ({ url }) => {
      const client = new Client(url);
      for (const each of all) found.push(...(await rowsOf(client, each)));
      client.close();
    });
    return found;
  },
};
