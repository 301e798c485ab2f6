import { photoPdf, scanPdf, textPdf } from '../measure/inputs.js';
import type { PeerJob, PeerProgram } from './job.js';

const MB = 1024 * 1024;
/** Scanned pages that make 20 MB. */
const SCANNED_PAGES = 12;

const one = (input: Promise<string>): Promise<readonly string[]> => input.then((path) => [path]);
const qpdf = (command: string, args: readonly string[]): PeerProgram => ({
  command: `qpdf ${command}`,
  program: 'qpdf',
  args,
  needs: ['qpdf'],
});
const merged = (inputs: readonly string[]): PeerProgram =>
  qpdf('--empty --pages', ['--empty', '--pages', ...inputs, '--', 'out.pdf']);
const parts = (count: number, pages: number, label: string): Promise<readonly string[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => textPdf(pages, `${label}${i}`)));

const rotation = {
  ours: { path: 'general/rotate-pdf', fields: { angle: '90' } },
  gotenberg: { path: 'pdfengines/rotate', fields: { rotateAngle: '90' } },
  native: (inputs) => qpdf('--rotate=+90', [...inputs, '--rotate=+90', 'out.pdf']),
} satisfies Partial<PeerJob>;
const merging = {
  ours: { path: 'general/merge-pdfs', fields: {} },
  gotenberg: { path: 'pdfengines/merge', fields: {} },
  native: merged,
} satisfies Partial<PeerJob>;

/** Rotating, merging, splitting and compressing. */
export const pageJobs: readonly PeerJob[] = [
  {
    ...rotation,
    name: 'rotate-10',
    what: 'rotate 10 pages',
    inputs: () => one(textPdf(10)),
    check: { kind: 'pdf', files: 1, pages: 10, contains: { by: 'pdfinfo', text: 'Page rot:        90' } },
    wish: { ms: 6, perSecond: 350, gotenbergMs: 35 },
  },
  {
    ...rotation,
    name: 'rotate-500',
    what: 'rotate 500 pages',
    inputs: () => one(textPdf(500)),
    check: { kind: 'pdf', files: 1, pages: 500, contains: { by: 'pdfinfo', text: 'Page rot:        90' } },
    wish: { perSecond: 70, gotenbergMs: 89 },
  },
  {
    ...rotation,
    name: 'rotate-100mb',
    what: 'rotate 100 MB',
    inputs: () => one(photoPdf(100)),
    check: { kind: 'pdf', files: 1, pages: 'some', contains: { by: 'pdfinfo', text: 'Page rot:        90' } },
    wish: { ms: 250, perSecond: 6, gotenbergMs: 485 },
  },
  {
    ...merging,
    name: 'merge-20',
    what: 'merge 20 × 10 pages',
    inputs: () => parts(20, 10, 'part'),
    check: { kind: 'pdf', files: 1, pages: 200 },
    wish: { ms: 25, perSecond: 80, gotenbergMs: 31 },
  },
  {
    ...merging,
    name: 'merge-2',
    what: 'merge 2 × 500 pages',
    inputs: () => parts(2, 500, 'long'),
    check: { kind: 'pdf', files: 1, pages: 1000 },
    wish: { ms: 50, perSecond: 35, gotenbergMs: 63 },
  },
  {
    name: 'split-500',
    what: 'split 500 pages into 500',
    inputs: () => one(textPdf(500)),
    ours: { path: 'general/split-pages', fields: { pageNumbers: 'all' } },
    gotenberg: { path: 'pdfengines/split', fields: { splitMode: 'intervals', splitSpan: '1' } },
    native: (inputs) => qpdf('--split-pages', [...inputs, '--split-pages', 'out-%d.pdf']),
    check: { kind: 'pdf', files: 500, pages: 500 },
    wish: { ms: 400, gotenbergMs: 761 },
  },
  {
    name: 'split-5',
    what: 'split 500 pages into 5 ranges',
    inputs: () => one(textPdf(500)),
    ours: { path: 'general/split-pages', fields: { pageNumbers: '100,200,300,400' } },
    gotenberg: { path: 'pdfengines/split', fields: { splitMode: 'intervals', splitSpan: '100' } },
    native: (inputs) => qpdf('--split-pages=100', [...inputs, '--split-pages=100', 'out-%d.pdf']),
    check: { kind: 'pdf', files: 5, pages: 500 },
    wish: { ms: 60, gotenbergMs: 172 },
  },
  {
    name: 'compress-scan',
    what: 'compress a 20 MB scan',
    inputs: () => one(scanPdf(SCANNED_PAGES)),
    ours: { path: 'misc/compress-pdf', fields: { optimizeLevel: '5' } },
    native: (inputs) => ({
      command: 'gs -dPDFSETTINGS=/ebook',
      program: 'gs',
      args: [
        '-q',
        '-dBATCH',
        '-dNOPAUSE',
        '-sDEVICE=pdfwrite',
        '-dPDFSETTINGS=/ebook',
        '-sOutputFile=out.pdf',
        ...inputs,
      ],
      needs: ['gs'],
    }),
    check: { kind: 'pdf', files: 1, pages: SCANNED_PAGES, mostBytes: 10 * MB },
    wish: { ms: 1193, keep: true },
  },
  {
    name: 'compress-text',
    what: 'compress 500 pages of text',
    inputs: () => one(textPdf(500)),
    ours: { path: 'misc/compress-pdf', fields: { optimizeLevel: '5' } },
    native: (inputs) =>
      qpdf('--object-streams=generate --recompress-flate --compression-level=9', [
        '--object-streams=generate',
        '--recompress-flate',
        '--compression-level=9',
        ...inputs,
        'out.pdf',
      ]),
    check: { kind: 'pdf', files: 1, pages: 500, contains: { by: 'pdftotext', text: 'text page 500' } },
    wish: { ms: 120 },
  },
];
