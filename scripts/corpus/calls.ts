import type { CorpusFile } from './corpus-files.js';

/** One request of the run. */
export interface CorpusCall {
  /** Row name in the tables. */
  readonly operation: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** How often the file is sent. */
  readonly copies: number;
  /** Pages of all outputs together; undefined when nobody knows. */
  readonly expectedPages: number | undefined;
  /** Code with which even a good file is refused. */
  readonly expectedRefusal?: string;
  /** Does not open the file, so it takes any. */
  readonly raw?: boolean;
  /** May answer 204. */
  readonly mayDrop?: boolean;
  /** The answer is made to be damaged no longer. */
  readonly repairs?: boolean;
}

/** Most pages that are split into single ones. */
const SINGLE_PAGES = 50;

const one = (operation: string, path: string, fields: Record<string, string>, file: CorpusFile, more: Partial<CorpusCall> = {}): CorpusCall[] =>
  [{ operation, path, fields, copies: 1, expectedPages: file.pages, ...more }];

/** Groups of calls by the name given to `--operations`. */
export const callsOf: Readonly<Record<string, (file: CorpusFile) => CorpusCall[]>> = {
  rotate: (file) => one('rotate', 'general/rotate-pdf', { angle: '90' }, file),
  merge: (file) => one('merge with itself', 'general/merge-pdfs', {}, file, { copies: 2, expectedPages: file.pages === undefined ? undefined : file.pages * 2 }),
  split: (file) => one('split', 'general/split-pages', { pageNumbers: (file.pages ?? 1) <= SINGLE_PAGES ? 'all' : '10n' }, file),
  remove: (file) => one('remove page 1', 'general/remove-pages', { pageNumbers: '1' }, file, {
    expectedPages: file.pages === undefined ? undefined : file.pages - 1, ...(file.pages === 1 ? { expectedRefusal: 'PAGES_NONE_LEFT' } : {}),
  }),
  compress: (file) => one('compress', 'misc/compress-pdf', { optimizeLevel: '5' }, file),
  repair: (file) => one('repair', 'misc/repair', {}, file, { repairs: true }),
  filters: (file) => [
    // For a count that nobody doubts the answer is known as well: the file itself.
    ...one('filter page count', 'filter/filter-page-count', file.fileClass === 'good' && file.pages !== undefined ? { pageCount: String(file.pages), comparator: 'Equal' } : { pageCount: '0', comparator: 'Greater' }, file),
    ...one('filter page size', 'filter/filter-page-size', { standardPageSize: 'A4', comparator: 'Greater' }, file, { mayDrop: true }),
    ...one('filter rotation', 'filter/filter-page-rotation', { rotation: '0', comparator: 'Equal' }, file, { mayDrop: true }),
    ...one('filter text', 'filter/filter-contains-text', { text: 'the', pageNumbers: 'all' }, file, { mayDrop: true }),
    ...one('filter image', 'filter/filter-contains-image', { pageNumbers: 'all' }, file, { mayDrop: true }),
    ...one('filter file size', 'filter/filter-file-size', { fileSize: '10000', comparator: 'Greater' }, file, { mayDrop: true, raw: true }),
  ],
  watermark: (file) => one('watermark', 'security/add-watermark', { watermarkType: 'text', watermarkText: 'Entwurf', fontSize: '30', rotation: '45', opacity: '0.5', widthSpacer: '50', heightSpacer: '50' }, file),
  unsign: (file) => one('remove signatures', 'security/remove-cert-sign', {}, file),
};

/** Names for `--operations` when none are given. */
export const defaultOperations: readonly string[] = ['rotate', 'merge', 'split', 'remove', 'compress', 'repair', 'filters'];

/** Row names in the order of the tables. */
export const operationNames: readonly string[] = Object.values(callsOf)
  .flatMap((calls) => calls({ name: '', path: '', fileClass: 'unknown', pages: undefined, encrypted: false, needsPassword: false, signed: false }).map(({ operation }) => operation));
