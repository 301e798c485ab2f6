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
  /** Codes with which a good file may be refused, because it has nothing of what is asked for. */
  readonly mayRefuse?: readonly string[];
  /** The answer is no PDF and no zip of PDFs: JSON, text or pictures. */
  readonly other?: boolean;
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

const pagesOf = ({ pages }: CorpusFile, count: (pages: number) => number): number | undefined => (pages === undefined ? undefined : count(pages));

const times = (file: CorpusFile, factor: number): Partial<CorpusCall> => ({ expectedPages: pagesOf(file, (pages) => pages * factor) });

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
  rearrange: (file) => one('rearrange, last page first', 'general/rearrange-pages', { customMode: 'REVERSE_ORDER' }, file),
  duplicate: (file) => one('rearrange, every page twice', 'general/rearrange-pages', { customMode: 'DUPLICATE', pageNumbers: '2' }, file, times(file, 2)),
  scale: (file) => one('scale to A4', 'general/scale-pages', { pageSize: 'A4' }, file),
  crop: (file) => one('crop', 'general/crop', { x: '-20000', y: '-20000', width: '40000', height: '40000' }, file),
  autocrop: (file) => one('crop to content', 'general/crop', { autoCrop: 'true' }, file),
  nup: (file) => one('4 pages on a sheet', 'general/multi-page-layout', { pagesPerSheet: '4' }, file, { expectedPages: pagesOf(file, (pages) => Math.ceil(pages / 4)) }),
  booklet: (file) => one('booklet', 'general/booklet-imposition', {}, file, { expectedPages: pagesOf(file, (pages) => Math.ceil(pages / 4) * 2) }),
  single: (file) => one('single page', 'general/pdf-to-single-page', {}, file, { expectedPages: pagesOf(file, () => 1) }),
  poster: (file) => one('poster', 'general/split-for-poster-print', {}, file, times(file, 4)),
  sections: (file) => one('two sections', 'general/split-pdf-by-sections', { horizontalDivisions: '1', verticalDivisions: '0', merge: 'true' }, file, times(file, 2)),
  chapters: (file) => one('split by chapters', 'general/split-pdf-by-chapters', { bookmarkLevel: '0', allowDuplicates: 'true' }, file, { expectedPages: undefined, mayRefuse: ['BOOKMARKS_NOT_FOUND'] }),
  sizes: (file) => one('split by size', 'general/split-by-size-or-count', { splitType: '0', splitValue: '100KB' }, file),
  counts: (file) => one('split in two', 'general/split-by-size-or-count', { splitType: '2', splitValue: '2' }, file),
  'remove-images': (file) => one('remove images', 'general/remove-image-pdf', {}, file),
  'edit-text': (file) => one('edit text', 'general/edit-text', { edits: '[{"find":"the","replace":"THE"}]' }, file),
  bookmarks: (file) => [
    ...one('extract bookmarks', 'general/extract-bookmarks', {}, file, { other: true }),
    ...one('set bookmarks', 'general/edit-table-of-contents', { bookmarkData: '[{"title":"Erste Seite","pageNumber":1}]' }, file),
  ],
  decompress: (file) => one('decompress', 'misc/decompress-pdf', {}, file),
  stamp: (file) => one('stamp', 'misc/add-stamp', { stampType: 'text', stampText: 'Stand @date\\n@page_number/@page_count' }, file),
  numbers: (file) => one('page numbers', 'misc/add-page-numbers', { customText: '{n}/{total}' }, file),
  comments: (file) => one('comment', 'misc/add-comments', { comments: '[{"pageIndex":0,"x":20,"y":20,"width":20,"height":20,"text":"Bitte prüfen","anchorText":"the"}]' }, file),
  attachments: (file) => [
    ...one('list attachments', 'misc/list-attachments', {}, file, { other: true }),
    ...one('extract attachments', 'misc/extract-attachments', {}, file, { other: true, mayRefuse: ['ATTACHMENTS_NOT_FOUND'] }),
  ],
  metadata: (file) => [
    ...one('set metadata', 'misc/update-metadata', { title: 'Titel', author: 'Ää' }, file),
    ...one('delete metadata', 'misc/update-metadata', { deleteAll: 'true' }, file),
  ],
  'flatten-forms': (file) => one('flatten forms', 'misc/flatten', { flattenOnlyForms: 'true' }, file),
  flatten: (file) => one('flatten to pictures', 'misc/flatten', { flattenOnlyForms: 'false', renderDpi: '72' }, file),
  'unlock-forms': (file) => one('unlock forms', 'misc/unlock-pdf-forms', {}, file),
  recolour: (file) => one('high contrast', 'misc/replace-invert-pdf', { replaceAndInvertOption: 'HIGH_CONTRAST_COLOR', highContrastColorCombination: 'YELLOW_TEXT_ON_BLACK' }, file),
  invert: (file) => one('invert', 'misc/replace-invert-pdf', { replaceAndInvertOption: 'FULL_INVERSION' }, file),
  scanner: (file) => one('scanner effect', 'misc/scanner-effect', { quality: 'low' }, file),
  blanks: (file) => one('remove blanks', 'misc/remove-blanks', {}, file),
  autosplit: (file) => one('auto split', 'misc/auto-split-pdf', {}, file),
  autorename: (file) => one('auto rename', 'misc/auto-rename', {}, file),
  images: (file) => one('extract images', 'misc/extract-images', { format: 'png' }, file, { other: true }),
  scans: (file) => one('extract scans', 'misc/extract-image-scans', {}, file, { other: true, mayRefuse: ['PHOTOS_NOT_FOUND'] }),
  scripts: (file) => one('show scripts', 'misc/show-javascript', {}, file, { other: true }),
  unsign: (file) => one('remove signatures', 'security/remove-cert-sign', {}, file),
};

/** Names for `--operations` when none are given. */
export const defaultOperations: readonly string[] = Object.keys(callsOf);

/** Row names in the order of the tables. */
export const operationNames: readonly string[] = Object.values(callsOf)
  .flatMap((calls) => calls({ name: '', path: '', fileClass: 'unknown', pages: undefined, encrypted: false, needsPassword: false, signed: false }).map(({ operation }) => operation));
