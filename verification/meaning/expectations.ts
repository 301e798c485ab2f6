import type { Portrait } from '../../document/test/checks/portrait.js';

/** What an operation may change in a document; all other features must stay as they were. */
export interface Expectation {
  readonly params: Readonly<Record<string, unknown>>;
  /** Parameters that depend on the number of pages, in addition to `params`. */
  readonly paramsFor?: (pages: number) => Readonly<Record<string, unknown>>;
  /** Additional files: field and name of a file in the plugin's `fixtures/`. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Features that the operation changes on purpose. */
  readonly changes?: readonly (keyof Portrait)[];
  /**
   * Returns the output page for an input page (both 0-based) of a document with `pages` pages; default: the same page.
   */
  readonly pageOf?: (page: number, pages: number) => number;
  /** Pages are scaled or moved: rectangles and views of annotations and destinations move with them. */
  readonly moves?: boolean;
  /** Every page must render as before. */
  readonly looks?: 'same';
}

const same: Partial<Expectation> = { looks: 'same' };

/** One row per operation (by path) that turns one PDF into one PDF; several ways to call it are several rows. */
export const expectations: readonly (readonly [path: string, Expectation])[] = [
  ['general/rotate-pdf', { params: { angle: 90 }, changes: ['shapes'] }],
  ['general/merge-pdfs', { params: { removeCertSign: false }, ...same }],
  [
    'general/rearrange-pages',
    { params: { customMode: 'REVERSE_ORDER' }, changes: ['labels'], pageOf: (page, pages) => pages - 1 - page },
  ],
  [
    'general/assemble-pages',
    {
      params: {},
      paramsFor: (pages) => ({
        pages: JSON.stringify(Array.from({ length: pages }, (_unused, i) => ({ page: pages - i }))),
      }),
      changes: ['labels'],
      pageOf: (page, pages) => pages - 1 - page,
    },
  ],
  ['general/scale-pages', { params: { pageSize: 'A3' }, changes: ['shapes'], moves: true }],
  [
    'general/crop',
    {
      params: { x: -20_000, y: -20_000, width: 40_000, height: 40_000, removeDataOutsideCrop: false },
      changes: ['shapes'],
    },
  ],
  ['general/crop', { params: { x: -20_000, y: -20_000, width: 40_000, height: 40_000 }, changes: ['shapes'] }],
  ['general/overlay-pdfs', { params: { overlayMode: 'SequentialOverlay' }, parts: { overlayFiles: 'two-pages.pdf' } }],
  // The labels do not count sheets, and marked content moves into form XObjects.
  [
    'general/multi-page-layout',
    {
      params: { pagesPerSheet: 2 },
      changes: ['shapes', 'labels', 'pages', 'tagged'],
      moves: true,
      pageOf: (page) => Math.floor(page / 2),
    },
  ],
  [
    'general/pdf-to-single-page',
    { params: {}, changes: ['shapes', 'labels', 'pages', 'tagged', 'layers'], moves: true, pageOf: () => 0 },
  ],
  [
    'general/booklet-imposition',
    { params: {}, changes: ['shapes', 'labels', 'pages', 'tagged'], moves: true, pageOf: bookletSide },
  ],
  ['general/remove-image-pdf', { params: {} }],
  [
    'general/edit-table-of-contents',
    { params: { bookmarkData: '[{"title":"One","pageNumber":1,"children":[]}]' }, changes: ['outlines'], ...same },
  ],
  [
    'general/edit-page-labels',
    { params: { labels: '[{"pageNumber":1,"prefix":"P-"}]' }, changes: ['labels'], ...same },
  ],
  ['general/edit-text', { params: { edits: '[{"find":"the","replace":"THE"}]' } }],
  ['misc/repair', { params: {} }],
  ['misc/compress-pdf', { params: { optimizeLevel: 3 }, ...same }],
  ['misc/decompress-pdf', { params: {}, ...same }],
  ['misc/add-stamp', { params: { stampType: 'text', stampText: 'Draft @page_number' } }],
  ['misc/add-page-numbers', { params: {} }],
  ['misc/add-image', { params: { x: 10, y: 10, everyPage: true }, parts: { imageFile: 'one-photo.png' } }],
  ['misc/add-comments', { params: { comments: '[]' }, ...same }],
  ['ai/tools/pdf-comment-agent', { params: { prompt: 'x' }, changes: ['annotations', 'tagged', 'elements'] }],
  ['ai/tools/classify-and-label', { params: {}, ...same }],
  [
    'misc/add-attachments',
    { params: {}, parts: { attachments: 'one-photo.png' }, changes: ['attachments', 'associated'], ...same },
  ],
  ['misc/update-metadata', { params: { title: 'New' }, ...same }],
  [
    'misc/flatten',
    {
      params: { flattenOnlyForms: true },
      changes: ['fields', 'annotations', 'needsAppearances', 'scripts', 'tagged', 'elements'],
    },
  ],
  [
    'misc/flatten',
    {
      params: { flattenOnlyForms: false, renderDpi: 72 },
      changes: ['fields', 'annotations', 'needsAppearances', 'layers', 'tagged', 'elements', 'scripts'],
    },
  ],
  ['misc/unlock-pdf-forms', { params: {}, changes: ['needsAppearances'] }],
  // The forms then have their own appearances, so NeedAppearances is removed.
  ['form/fill', { params: { data: '{}' }, changes: ['needsAppearances'] }],
  ['form/modify-fields', { params: { updates: '[{"targetName":"no such field","label":"x"}]' }, ...same }],
  ['form/delete-fields', { params: { names: '["no such field"]' }, ...same }],
  ['misc/replace-invert-pdf', { params: { replaceAndInvertOption: 'HIGH_CONTRAST_COLOR' } }],
  ['misc/replace-invert-pdf', { params: { replaceAndInvertOption: 'FULL_INVERSION' } }],
  ['misc/ocr-pdf', { params: { languages: 'eng' }, ...same }],
  [
    'misc/scanner-effect',
    {
      params: { quality: 'low', rotation: 'none' },
      changes: ['fields', 'annotations', 'needsAppearances', 'layers', 'tagged', 'elements', 'scripts'],
    },
  ],
  ['security/add-password', { params: { ownerPassword: 'owner', preventPrinting: true }, ...same }],
  [
    'security/sanitize-pdf',
    {
      params: { removeEmbeddedFiles: false, removeLinks: true, removeMetadata: true, removeXMPMetadata: true },
      changes: ['scripts'],
      ...same,
    },
  ],
  ['security/sanitize-pdf', { params: {}, changes: ['scripts', 'attachments', 'associated', 'annotations'] }],
  ['security/sanitize-pdf', { params: { removeJavaScript: false, removeEmbeddedFiles: false }, ...same }],
  ['security/remove-password', { params: {}, ...same }],
  [
    'security/cert-sign',
    {
      params: { certType: 'PKCS12', password: 'secret' },
      parts: { p12File: 'signer.p12' },
      changes: ['fields', 'annotations', 'elements', 'tagged'],
      ...same,
    },
  ],
  ['security/add-watermark', { params: { watermarkType: 'text', watermarkText: 'COPY' } }],
  // An attachment that cannot be searched might contain the text, so it is removed.
  ['security/auto-redact', { params: { listOfText: 'no such text anywhere' }, changes: ['attachments', 'associated'] }],
  ['security/redact', { params: { redactions: '' } }],
  [
    'security/redact-execute',
    { params: { textValues: 'no such text anywhere' }, changes: ['attachments', 'associated'] },
  ],
  [
    'security/add-watermark',
    { params: { watermarkType: 'image', fontSize: 5 }, parts: { watermarkImage: 'logo.png' } },
  ],
];

/**
 * Returns the side of a sheet that shows a page: front and back of each leaf in turn, four pages per leaf
 * (docs/interface/general.yml, booklet-imposition).
 */
function bookletSide(page: number, pages: number): number {
  const places = Math.ceil(pages / 4) * 4;
  const outside = Math.min(page, places - 1 - page);
  // Outermost leaf first: pages 1 and N are on its front, 2 and N-1 on its back.
  return outside;
}
