import { textPdf } from '../measure/inputs.js';
import { tilesPdf } from '../operations/watermark.bench.js';
import { formPdf, LOCK, lockedPdf } from './inputs.js';
import type { PeerJob } from './job.js';

const one = (input: Promise<string>): Promise<readonly string[]> => input.then((path) => [path]);
const TITLE = 'Annual report';
const WATERMARK = {
  watermarkType: 'text',
  watermarkText: 'CONFIDENTIAL',
  fontSize: '30',
  rotation: '45',
  opacity: '0.5',
};

const step = (operation: string, parameters: Readonly<Record<string, unknown>>): object => ({
  operation: `/api/v1/${operation}`,
  parameters,
});
const PIPELINE = {
  name: 'peers',
  pipeline: [
    step('general/rotate-pdf', { angle: 90 }),
    step('misc/add-page-numbers', {}),
    step('security/add-watermark', { ...WATERMARK, fontSize: 30, rotation: 45, opacity: 0.5 }),
    step('misc/update-metadata', { title: TITLE }),
    step('misc/compress-pdf', { optimizeLevel: 5 }),
  ],
};

/** Passwords, watermarks, metadata, forms, and several steps in one call. */
export const documentJobs: readonly PeerJob[] = [
  {
    name: 'add-password',
    what: 'add password, 100 pages',
    inputs: () => one(textPdf(100)),
    ours: { path: 'security/add-password', fields: { password: 'user', ownerPassword: 'owner', keyLength: '256' } },
    gotenberg: { path: 'pdfengines/encrypt', fields: { userPassword: 'user', ownerPassword: 'owner' } },
    native: (inputs) => ({
      command: 'qpdf --encrypt',
      program: 'qpdf',
      args: [...LOCK, ...inputs, 'out.pdf'],
      needs: ['qpdf'],
    }),
    check: { kind: 'pdf', files: 1, pages: 100, password: 'user' },
    wish: { ms: 20, perSecond: 100, gotenbergMs: 35 },
  },
  {
    name: 'remove-password',
    what: 'remove password, 100 pages',
    inputs: () => one(lockedPdf()),
    ours: { path: 'security/remove-password', fields: { password: 'user' } },
    native: (inputs) => ({
      command: 'qpdf --decrypt',
      program: 'qpdf',
      args: ['--password=user', '--decrypt', ...inputs, 'out.pdf'],
      needs: ['qpdf'],
    }),
    check: { kind: 'pdf', files: 1, pages: 100 },
    wish: { ms: 12, perSecond: 150 },
  },
  {
    name: 'watermark',
    what: 'watermark 100 pages',
    inputs: () => one(textPdf(100)),
    ours: { path: 'security/add-watermark', fields: WATERMARK },
    gotenberg: {
      path: 'pdfengines/watermark',
      fields: { watermarkSource: 'text', watermarkExpression: WATERMARK.watermarkText },
    },
    native: async (inputs) => ({
      command: 'qpdf --overlay --repeat=1 (of tiles ready made)',
      program: 'qpdf',
      args: [...inputs, '--overlay', await tilesPdf(), '--repeat=1', '--', 'out.pdf'],
      needs: ['qpdf'],
    }),
    check: { kind: 'pdf', files: 1, pages: 100, contains: { by: 'mutool', text: WATERMARK.watermarkText } },
    wish: { ms: 39, keep: true, gotenbergMs: 111 },
  },
  {
    name: 'metadata-read',
    what: 'metadata read, 10 pages',
    inputs: () => one(textPdf(10)),
    ours: { path: 'analysis/document-properties', fields: {} },
    gotenberg: { path: 'pdfengines/metadata/read', fields: {} },
    native: (inputs) => ({
      command: 'pdfinfo',
      program: 'sh',
      args: ['-c', 'pdfinfo "$0" > out.txt', ...inputs],
      needs: ['pdfinfo'],
    }),
    check: { kind: 'text', contains: 'pdf-lib' },
    wish: { ms: 5, perSecond: 450, gotenbergMs: 104 },
  },
  {
    name: 'metadata-write',
    what: 'metadata write, 10 pages',
    inputs: () => one(textPdf(10)),
    ours: { path: 'misc/update-metadata', fields: { title: TITLE, author: 'Ada Lovelace' } },
    gotenberg: {
      path: 'pdfengines/metadata/write',
      fields: { metadata: JSON.stringify({ Title: TITLE, Author: 'Ada Lovelace' }) },
    },
    native: (inputs) => ({
      command: 'exiftool -Title= -Author=',
      program: 'exiftool',
      args: [`-Title=${TITLE}`, '-Author=Ada Lovelace', '-o', 'out.pdf', ...inputs],
      needs: ['exiftool'],
    }),
    check: { kind: 'pdf', files: 1, pages: 10, contains: { by: 'pdfinfo', text: TITLE } },
    wish: { ms: 7, perSecond: 200, gotenbergMs: 236 },
  },
  {
    name: 'flatten',
    what: 'flatten a form, 5 pages, 100 fields',
    inputs: () => one(formPdf()),
    ours: { path: 'misc/flatten', fields: { flattenOnlyForms: 'true' } },
    gotenberg: { path: 'pdfengines/flatten', fields: {} },
    native: (inputs) => ({
      command: 'qpdf --flatten-annotations=all',
      program: 'qpdf',
      args: ['--flatten-annotations=all', ...inputs, 'out.pdf'],
      needs: ['qpdf'],
    }),
    check: { kind: 'pdf', files: 1, pages: 5, contains: { by: 'pdftotext', text: 'Value 19 on page 5' } },
    wish: { ms: 25, perSecond: 80, gotenbergMs: 29 },
  },
  {
    name: 'pipeline',
    what: 'pipeline of 5 steps, 20 pages',
    inputs: () => one(textPdf(20)),
    ours: { path: 'pipeline/handleData', fields: { json: JSON.stringify(PIPELINE) } },
    check: { kind: 'pdf', files: 1, pages: 20, contains: { by: 'pdfinfo', text: TITLE } },
    wish: { ms: 60, perSecond: 30 },
  },
];
