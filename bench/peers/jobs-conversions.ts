import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchFolder, scanPdf, textPdf } from '../measure/inputs.js';
import { printArguments } from '../measure/native.js';
import { reportHtml } from '../operations/html.bench.js';
import { officeDocument } from '../operations/office.bench.js';
import { markdownFrame, notesHtml, notesMarkdown } from './inputs.js';
import type { PeerJob, PeerProgram } from './job.js';

const one = (input: Promise<string>): Promise<readonly string[]> => input.then((path) => [path]);

/** The browser, started for one file. */
const chromium = (file: string, command = 'chromium --headless --print-to-pdf'): PeerProgram => ({
  command,
  program: 'chromium',
  args: printArguments(file, 'out.pdf'),
  needs: ['chromium'],
});

/** A shell script that gets the input as $0. */
const script = (command: string, text: string, needs: readonly string[], inputs: readonly string[]): PeerProgram => ({
  command,
  program: 'sh',
  args: ['-c', text, ...inputs],
  needs,
});

/** Everything that changes the format of a file. */
export const conversionJobs: readonly PeerJob[] = [
  {
    name: 'pdf-png',
    what: 'PDF to PNG, 20 pages at 150 dpi',
    inputs: () => one(textPdf(20)),
    ours: { path: 'convert/pdf/img', fields: { imageFormat: 'png', singleOrMultiple: 'multiple', dpi: '150' } },
    native: (inputs) => ({
      command: 'pdftoppm -png -r 150',
      program: 'pdftoppm',
      args: ['-png', '-r', '150', ...inputs, 'out'],
      needs: ['pdftoppm'],
    }),
    check: { kind: 'png', files: 20 },
    wish: { ms: 800 },
  },
  {
    name: 'pdf-text',
    what: 'text of 500 pages',
    inputs: () => one(textPdf(500)),
    ours: { path: 'convert/pdf/text', fields: { outputFormat: 'txt' } },
    native: (inputs) => ({
      command: 'pdftotext',
      program: 'pdftotext',
      args: [...inputs, 'out.txt'],
      needs: ['pdftotext'],
    }),
    check: { kind: 'text', contains: 'text page 500' },
    wish: { ms: 450 },
  },
  {
    name: 'html-pdf',
    what: 'HTML to PDF, 10 sections',
    inputs: () => one(reportHtml()),
    ours: { path: 'convert/html/pdf', fields: {} },
    gotenberg: { path: 'chromium/convert/html', fields: {}, names: ['index.html'] },
    native: ([file = '']) => chromium(file),
    check: { kind: 'pdf', files: 1, pages: 'some', contains: { by: 'pdftotext', text: 'Section 10' } },
    wish: { ms: 90, gotenbergMs: 271 },
  },
  {
    name: 'markdown-pdf',
    what: 'Markdown to PDF, 10 sections',
    inputs: () => one(notesMarkdown()),
    ours: { path: 'convert/markdown/pdf', fields: {} },
    gotenberg: {
      path: 'chromium/convert/markdown',
      fields: {},
      names: ['index.html', 'notes.md'],
      before: () => one(markdownFrame()),
    },
    native: async () => chromium(await notesHtml(), 'chromium --headless --print-to-pdf (of the same text in HTML)'),
    check: { kind: 'pdf', files: 1, pages: 'some', contains: { by: 'pdftotext', text: 'Section 10' } },
    wish: { ms: 100, gotenbergMs: 290 },
  },
  {
    name: 'docx-pdf',
    what: 'DOCX to PDF, 20 pages',
    inputs: () => one(officeDocument(20)),
    ours: { path: 'convert/file/pdf', fields: {} },
    gotenberg: { path: 'libreoffice/convert', fields: {} },
    native: (inputs) => ({
      command: 'soffice --convert-to pdf',
      program: 'soffice',
      args: [
        `-env:UserInstallation=${pathToFileURL(join(benchFolder, 'office-profile')).href}`,
        '--headless',
        '--convert-to',
        'pdf',
        ...inputs,
      ],
      needs: ['soffice'],
    }),
    check: { kind: 'pdf', files: 1, pages: 20, contains: { by: 'pdftotext', text: 'Chapter 20' } },
    wish: { ms: 300, gotenbergMs: 490 },
  },
  {
    name: 'pdfa',
    what: 'PDF/A-2b of 100 pages',
    inputs: () => one(textPdf(100)),
    ours: { path: 'convert/pdf/pdfa', fields: { outputFormat: 'pdfa-2b' } },
    gotenberg: { path: 'pdfengines/convert', fields: { pdfa: 'PDF/A-2b' } },
    native: (inputs) =>
      script(
        'gs -dPDFA=2, then verapdf',
        'gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dPDFA=2 -dPDFACompatibilityPolicy=1 ' +
          '-sColorConversionStrategy=RGB -o out.pdf -f "$0" && verapdf --format text --loglevel 0 --flavour 2b ' +
          'out.pdf || true',
        ['gs', 'verapdf'],
        inputs,
      ),
    check: { kind: 'pdf', files: 1, pages: 100, contains: { by: 'pdftotext', text: 'text page 100' } },
    wish: { ms: 600, gotenbergMs: 5677 },
  },
  {
    name: 'ocr',
    what: 'OCR of one page',
    inputs: () => one(scanPdf(1)),
    ours: { path: 'misc/ocr-pdf', fields: { languages: 'eng' } },
    native: (inputs) =>
      script(
        'pdftoppm -r 300 -gray, then tesseract pdf',
        'pdftoppm -r 300 -gray -singlefile "$0" page && tesseract page.pgm out --dpi 300 -l eng pdf',
        ['pdftoppm', 'tesseract'],
        inputs,
      ),
    check: { kind: 'pdf', files: 1, pages: 1, contains: { by: 'pdftotext', text: 'luquavine' } },
    wish: { ms: 1800 },
  },
];
