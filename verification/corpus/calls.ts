import type { CorpusFile } from './corpus-files.js';

/** A request of the run. */
export interface CorpusCall {
  /** Row name in the tables. */
  readonly operation: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** How often the file is sent in the request. */
  readonly copies: number;
  /** Pages of all outputs together, computed from the pages of the input; undefined when the number cannot be known. */
  readonly pages: ((pages: number) => number) | undefined;
  /** Error code with which even a good file must be rejected. */
  readonly expectedRefusal?: string;
  /** Error codes with which a good file may be rejected because it has nothing to work on. */
  readonly mayRefuse?: readonly string[];
  /** The answer is neither a PDF nor a zip of PDFs: JSON, text or images. */
  readonly other?: boolean;
  /** The operation does not open the file, so it accepts any file. */
  readonly raw?: boolean;
  /** Sends the file's password. */
  readonly opens?: boolean;
  /** May answer 204. */
  readonly mayDrop?: boolean;
  /** The operation repairs damaged files, so its answer must be sound. */
  readonly repairs?: boolean;
}

/** Largest number of pages that are split into single ones. */
const SINGLE_PAGES = 50;

const one = (
  operation: string,
  path: string,
  fields: Record<string, string>,
  more: Partial<CorpusCall> = {},
): CorpusCall[] => [{ operation, path, fields, copies: 1, pages: (pages) => pages, ...more }];

const times = (factor: number): Partial<CorpusCall> => ({ pages: (pages) => pages * factor });

/** Groups of calls by the name given to `--operations`. */
export const callsOf: Readonly<Record<string, (file: CorpusFile) => CorpusCall[]>> = {
  rotate: () => one('rotate', 'general/rotate-pdf', { angle: '90' }),
  merge: () => one('merge with itself', 'general/merge-pdfs', {}, { copies: 2, ...times(2) }),
  split: (file) =>
    one('split', 'general/split-pages', { pageNumbers: (file.pages ?? 1) <= SINGLE_PAGES ? 'all' : '10n' }),
  remove: (file) =>
    one(
      'remove page 1',
      'general/remove-pages',
      { pageNumbers: '1' },
      {
        pages: (pages) => pages - 1,
        ...(file.pages === 1 ? { expectedRefusal: 'PAGES_NONE_LEFT' } : {}),
      },
    ),
  compress: () => one('compress', 'misc/compress-pdf', { optimizeLevel: '5' }),
  repair: () => one('repair', 'misc/repair', {}, { repairs: true }),
  filters: (file) => [
    // With the undisputed page count, the answer is known too: the file itself.
    ...one(
      'filter page count',
      'filter/filter-page-count',
      file.fileClass === 'good' && file.pages !== undefined
        ? { pageCount: String(file.pages), comparator: 'Equal' }
        : { pageCount: '0', comparator: 'Greater' },
    ),
    ...one(
      'filter page size',
      'filter/filter-page-size',
      { standardPageSize: 'A4', comparator: 'Greater' },
      { mayDrop: true },
    ),
    ...one('filter rotation', 'filter/filter-page-rotation', { rotation: '0', comparator: 'Equal' }, { mayDrop: true }),
    ...one('filter text', 'filter/filter-contains-text', { text: 'the', pageNumbers: 'all' }, { mayDrop: true }),
    ...one('filter image', 'filter/filter-contains-image', { pageNumbers: 'all' }, { mayDrop: true }),
    ...one(
      'filter file size',
      'filter/filter-file-size',
      { fileSize: '10000', comparator: 'Greater' },
      { mayDrop: true, raw: true },
    ),
  ],
  watermark: () =>
    one('watermark', 'security/add-watermark', {
      watermarkType: 'text',
      watermarkText: 'Entwurf',
      fontSize: '30',
      rotation: '45',
      opacity: '0.5',
      widthSpacer: '50',
      heightSpacer: '50',
    }),
  'auto-redact': () =>
    one('auto-redact, a word and a pattern', 'security/auto-redact', {
      listOfText: '\\bthe\\b\n\\d{4}',
      useRegex: 'true',
    }),
  redact: () =>
    one('redact, an area of every first page', 'security/redact', {
      redactions: '{"page": 1, "x": 50, "y": 50, "width": 200, "height": 100}',
    }),
  'redact-execute': () =>
    one('redact-execute, images of all pages', 'security/redact-execute', {
      textValues: 'page',
      redactImagePages: '',
    }),
  'redact-preview': () =>
    one(
      'redact-preview, a word and dates',
      'security/redact-preview',
      { terms: '[{"text": "the", "wholeWord": true}]', presets: 'date' },
      { other: true, pages: undefined },
    ),
  rearrange: () => one('rearrange, last page first', 'general/rearrange-pages', { customMode: 'REVERSE_ORDER' }),
  duplicate: () =>
    one(
      'rearrange, every page twice',
      'general/rearrange-pages',
      { customMode: 'DUPLICATE', pageNumbers: '2' },
      times(2),
    ),
  scale: () => one('scale to A4', 'general/scale-pages', { pageSize: 'A4' }),
  crop: () => one('crop', 'general/crop', { x: '-20000', y: '-20000', width: '40000', height: '40000' }),
  autocrop: () => one('crop to content', 'general/crop', { autoCrop: 'true' }),
  nup: () =>
    one(
      '4 pages on a sheet',
      'general/multi-page-layout',
      { pagesPerSheet: '4' },
      { pages: (pages) => Math.ceil(pages / 4) },
    ),
  booklet: () => one('booklet', 'general/booklet-imposition', {}, { pages: (pages) => Math.ceil(pages / 4) * 2 }),
  single: () => one('single page', 'general/pdf-to-single-page', {}, { pages: () => 1 }),
  poster: () => one('poster', 'general/split-for-poster-print', {}, times(4)),
  sections: () =>
    one(
      'two sections',
      'general/split-pdf-by-sections',
      { horizontalDivisions: '1', verticalDivisions: '0', merge: 'true' },
      times(2),
    ),
  chapters: () =>
    one(
      'split by chapters',
      'general/split-pdf-by-chapters',
      { bookmarkLevel: '0', allowDuplicates: 'true' },
      { pages: undefined, mayRefuse: ['PDF_NO_BOOKMARKS'] },
    ),
  sizes: () => one('split by size', 'general/split-by-size-or-count', { splitType: '0', splitValue: '100KB' }),
  counts: () => one('split in two', 'general/split-by-size-or-count', { splitType: '2', splitValue: '2' }),
  'remove-images': () => one('remove images', 'general/remove-image-pdf', {}),
  'edit-text': () => one('edit text', 'general/edit-text', { edits: '[{"find":"the","replace":"THE"}]' }),
  bookmarks: () => [
    ...one('extract bookmarks', 'general/extract-bookmarks', {}, { other: true }),
    ...one('set bookmarks', 'general/edit-table-of-contents', {
      bookmarkData: '[{"title":"Erste Seite","pageNumber":1}]',
    }),
  ],
  decompress: () => one('decompress', 'misc/decompress-pdf', {}, { mayRefuse: ['PDF_RATIO'] }),
  stamp: () =>
    one('stamp', 'misc/add-stamp', { stampType: 'text', stampText: 'Stand @date\\n@page_number/@page_count' }),
  numbers: () => one('page numbers', 'misc/add-page-numbers', { customText: '{n}/{total}' }),
  comments: () =>
    one('comment', 'misc/add-comments', {
      comments: '[{"pageIndex":0,"x":20,"y":20,"width":20,"height":20,"text":"Bitte prüfen","anchorText":"the"}]',
    }),
  attachments: () => [
    ...one('list attachments', 'misc/list-attachments', {}, { other: true }),
    ...one('extract attachments', 'misc/extract-attachments', {}, { other: true, mayRefuse: ['ATTACHMENTS_NONE'] }),
  ],
  metadata: () => [
    ...one('set metadata', 'misc/update-metadata', { title: 'Titel', author: 'Ää' }),
    ...one('delete metadata', 'misc/update-metadata', { deleteAll: 'true' }),
  ],
  'flatten-forms': () => one('flatten forms', 'misc/flatten', { flattenOnlyForms: 'true' }),
  flatten: () =>
    one(
      'flatten to images',
      'misc/flatten',
      { flattenOnlyForms: 'false', renderDpi: '72' },
      { mayRefuse: ['IMAGE_TOO_LARGE'] },
    ),
  // Field names that are frequent in forms.
  'form-changes': () => [
    ...one(
      'fill in',
      'form/fill',
      { data: '{"Name":"Muster Ärger","name":"東京","Check Box1":true}' },
      { mayRefuse: ['PDF_NO_FORM', 'XFA_DYNAMIC', 'FIELD_LOCKED', 'INPUT_INVALID'] },
    ),
    ...one(
      'fill in and flatten',
      'form/fill',
      { data: '{"Name":"Muster Ärger"}', flatten: 'true' },
      { mayRefuse: ['PDF_NO_FORM', 'XFA_DYNAMIC', 'INPUT_INVALID'] },
    ),
    ...one('modify fields', 'form/modify-fields', {
      updates:
        '[{"targetName":"Name","name":"Other","label":"Other","type":"combobox","options":["a","b"]},' +
        '{"targetName":"Text1","required":true}]',
    }),
    ...one('delete fields', 'form/delete-fields', { names: '["Name","Text1","Check Box1","Signature1"]' }),
  ],
  'unlock-forms': () => one('unlock forms', 'misc/unlock-pdf-forms', {}),
  recolour: () =>
    one('high contrast', 'misc/replace-invert-pdf', {
      replaceAndInvertOption: 'HIGH_CONTRAST_COLOR',
      highContrastColorCombination: 'YELLOW_TEXT_ON_BLACK',
    }),
  invert: () => one('invert', 'misc/replace-invert-pdf', { replaceAndInvertOption: 'FULL_INVERSION' }),
  // Pages without text are recognised; on drawings this finds nothing.
  ocr: () =>
    one('recognise text', 'misc/ocr-pdf', { languages: 'eng', deskew: 'true' }, { mayRefuse: ['IMAGE_TOO_LARGE'] }),
  'ocr-force': () =>
    one(
      'recognise text, all pages',
      'misc/ocr-pdf',
      { languages: 'eng', ocrType: 'force-ocr' },
      { mayRefuse: ['IMAGE_TOO_LARGE'] },
    ),
  scanner: () => one('scanner effect', 'misc/scanner-effect', { quality: 'low' }, { mayRefuse: ['IMAGE_TOO_LARGE'] }),
  blanks: () => one('remove blanks', 'misc/remove-blanks', {}),
  autosplit: () => one('auto split', 'misc/auto-split-pdf', {}, { mayRefuse: ['DIVIDERS_ONLY'] }),
  autorename: () => one('auto rename', 'misc/auto-rename', {}),
  images: () =>
    one('extract images', 'misc/extract-images', { format: 'png' }, { other: true, mayRefuse: ['IMAGE_TOO_LARGE'] }),
  scans: () => one('extract scans', 'misc/extract-image-scans', {}, { other: true, mayRefuse: ['PHOTOS_NONE'] }),
  scripts: () => one('show scripts', 'misc/show-javascript', {}, { other: true }),
  lock: () => [
    ...one('lock with AES-256', 'security/add-password', { ownerPassword: 'owner', preventPrinting: 'true' }),
    ...one('lock with AES-128, metadata plain', 'security/add-password', {
      keyLength: '128',
      encryptMetadata: 'false',
    }),
    ...one('lock with RC4', 'security/add-password', { keyLength: '40', preventModify: 'true' }),
  ],
  unlock: ({ password }) =>
    one('unlock', 'security/remove-password', password === undefined ? {} : { password }, {
      opens: password !== undefined,
    }),
  info: () => one('get info', 'security/get-info-on-pdf', {}, { other: true }),
  analysis: () =>
    [
      'page-count',
      'basic-info',
      'document-properties',
      'page-dimensions',
      'form-fields',
      'annotation-info',
      'font-info',
      'security-info',
    ].flatMap((question) =>
      one(`analysis: ${question.replaceAll('-', ' ')}`, `analysis/${question}`, {}, { other: true }),
    ),
  forms: () =>
    ['fields', 'fields-with-coordinates', 'extract-csv', 'extract-xlsx'].flatMap((path) =>
      one(`form ${path.replaceAll('-', ' ')}`, `form/${path}`, {}, { other: true, pages: undefined }),
    ),
  verify: () => one('verify standards', 'security/verify-pdf', {}, { other: true }),
  validate: () => one('validate signatures', 'security/validate-signature', {}, { other: true }),
  sanitize: () => [
    ...one('sanitize scripts and files', 'security/sanitize-pdf', {}),
    ...one('sanitize everything', 'security/sanitize-pdf', {
      removeXMPMetadata: 'true',
      removeMetadata: 'true',
      removeLinks: 'true',
      removeFonts: 'true',
    }),
  ],
  // Must not claim conformance wrongly: a rejection counts as a fault, repairing pages does not.
  pdfa: () => one('to PDF/A-2b', 'convert/pdf/pdfa', { outputFormat: 'pdfa-2b' }),
  pdfx: () => one('to PDF/X-4', 'convert/pdf/pdfa', { outputFormat: 'pdfx' }),
  vector: () => [
    ...one('to PostScript', 'convert/pdf/vector', { outputFormat: 'ps' }, { other: true, pages: undefined }),
    ...one('to EPS', 'convert/pdf/vector', {}, { other: true, pages: undefined }),
  ],
  textEditor: () => [
    ...one('to editable JSON', 'convert/pdf/text-editor', {}, { other: true, pages: undefined }),
    ...one(
      'to editable JSON, lightweight',
      'convert/pdf/text-editor',
      { lightweight: 'true' },
      { other: true, pages: undefined },
    ),
  ],
  text: () => one('to text', 'convert/pdf/text', { outputFormat: 'txt' }, { other: true, pages: undefined }),
  markdown: () => one('to Markdown', 'convert/pdf/markdown', {}, { other: true, pages: undefined }),
  word: () => one('to DOCX', 'convert/pdf/word', {}, { other: true, pages: undefined }),
  html: () => one('to HTML', 'convert/pdf/html', {}, { other: true, pages: undefined }),
  epub: () => one('to EPUB', 'convert/pdf/epub', {}, { other: true, pages: undefined }),
  comics: () =>
    one('to CBZ', 'convert/pdf/cbz', { dpi: '40' }, { other: true, pages: undefined, mayRefuse: ['IMAGE_TOO_LARGE'] }),
  tables: () => [
    ...one('to CSV', 'convert/pdf/csv', {}, { other: true, mayDrop: true, pages: undefined }),
    ...one('to XLSX', 'convert/pdf/xlsx', {}, { other: true, mayDrop: true, pages: undefined }),
  ],
  slides: () => one('to slides', 'convert/pdf/presentation', {}, { other: true, pages: undefined }),
  xml: () => one('to XML', 'convert/pdf/xml', {}, { other: true, pages: undefined }),
  parse: () => [
    ...one('parse document', 'docparse/parse-document', {}, { other: true, pages: undefined }),
    ...one('extract tables', 'docparse/extract-tables', { outputFormat: 'json' }, { other: true, pages: undefined }),
    ...one(
      'chunk document',
      'docparse/chunk-document',
      { chunkSize: '300', overlap: '100' },
      { other: true, pages: undefined },
    ),
    ...one(
      'ingest',
      'docparse/ingest',
      { documentId: 'corpus', exportMarkdown: 'true', exportChunksJsonl: 'true' },
      { other: true, pages: undefined, mayRefuse: ['TEXT_MISSING'] },
    ),
  ],
  fields: () => [
    ...one('extract fields', 'docparse/extract-fields', {
      fields:
        '[{"name":"invoiceNumber"},{"name":"date","type":"date"},{"name":"total","type":"currency"},' +
        '{"name":"words","type":"string","pattern":"[A-Z]\\\\w{6,}"}]',
    }),
    ...one(
      'extract fields as JSON',
      'docparse/extract-fields/json',
      { fields: '[{"name":"name"},{"name":"amount","type":"number"},{"name":"items","type":"list"}]' },
      { other: true, pages: undefined },
    ),
    ...one('suggest schema', 'docparse/suggest-schema', {}, { other: true, pages: undefined }),
    ...one('smart split, every 40 pages', 'docparse/smart-split', { rule: 'every 40 pages' }),
    ...one(
      'smart split, at headings',
      'docparse/smart-split',
      { rule: 'at each heading' },
      { mayRefuse: ['SPLIT_NO_PARTS'] },
    ),
    ...one(
      'smart split, per invoice number',
      'docparse/smart-split',
      { rule: 'per invoice number' },
      { mayRefuse: ['SPLIT_NO_PARTS'] },
    ),
  ],
  // Uses connection 1, which the run creates.
  labels: () => [
    ...one(
      'apply label',
      'integration/purview-apply-label',
      { connectionId: '1', labelId: 'defa4170-0d19-0005-0004-bc88714345d2', labelName: 'Confidential' },
      { mayRefuse: ['PDF_SIGNED'] },
    ),
    ...one('read label', 'integration/purview-read-label', { connectionId: '1' }),
  ],
  // Uses a model that is configured for the run: AIENGINE_ENABLED, AIENGINE_MODELS_BASEURL.
  model: () => [
    ...one(
      'comment',
      'ai/tools/pdf-comment-agent',
      { prompt: 'Point out amounts.' },
      { mayRefuse: ['PDF_WITHOUT_TEXT', 'PDF_SIGNED'] },
    ),
    ...one('classify', 'ai/tools/classify-and-label', {}, { mayRefuse: ['PDF_SIGNED'] }),
  ],
  modelAudit: () => one('audit', 'ai/tools/math-auditor-agent', {}, { other: true }),
  unsign: () => one('remove signatures', 'security/remove-cert-sign', {}),
  sign: () =>
    one('sign', 'security/cert-sign', { certType: 'SERVER', showSignature: 'true' }, { mayRefuse: ['PDF_SIGNED'] }),
};

/** Names for `--operations` when none are given. */
export const defaultOperations: readonly string[] = Object.keys(callsOf).filter((name) => !/^(ocr|model)/.test(name));

/**
 * Number of files for operations that would take an hour more with the whole folder: they start programs for each call,
 * or read every page six times. The files are spread over the folder, so that every source and class is included;
 * `--whole` uses all of them.
 */
export const sampleSizes: Readonly<Record<string, number>> = { pdfa: 100, pdfx: 100, vector: 60, xml: 60, fields: 300 };

/** Returns `count` files of the list, evenly spread, or all when there are not more. */
export function spread<T>(files: readonly T[], count: number): readonly T[] {
  return files.length <= count
    ? files
    : Array.from({ length: count }, (_none, i) => files[Math.floor((i * files.length) / count)]!);
}

/** Row names in the order of the tables. */
export const operationNames: readonly string[] = Object.values(callsOf).flatMap((calls) =>
  calls({
    name: '',
    path: '',
    fileClass: 'unknown',
    pages: undefined,
    encrypted: false,
    needsPassword: false,
    signed: false,
  }).map(({ operation }) => operation),
);
