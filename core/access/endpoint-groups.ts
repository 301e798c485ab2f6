/**
 * Groups of endpoint keys that `endpoints.groupsToRemove` switches off together (`docs/interface/platform.yml`,
 * disabling endpoints). Keys are listed even if this server does not have the operation, so that existing settings
 * files keep their meaning.
 */
export const functionalGroups: Readonly<Record<string, readonly string[]>> = {
  PageOps: [
    'merge-pdfs',
    'rotate-pdf',
    'remove-pages',
    'rearrange-pages',
    'assemble-pages',
    'split-pages',
    'split-by-size-or-count',
    'split-for-poster-print',
    'split-pdf-by-chapters',
    'split-pdf-by-sections',
    'multi-page-layout',
    'booklet-imposition',
    'scale-pages',
    'crop',
    'pdf-to-single-page',
    'overlay-pdfs',
    'remove-image-pdf',
    'extract-bookmarks',
    'edit-table-of-contents',
    'extract-page-labels',
    'edit-page-labels',
    'edit-text',
  ],
  Convert: [
    'pdf-to-img',
    'img-to-pdf',
    'svg-to-pdf',
    'cbz-to-pdf',
    'pdf-to-cbz',
    'cbr-to-pdf',
    'pdf-to-cbr',
    'ebook-to-pdf',
    'pdf-to-epub',
    'eml-to-pdf',
    'html-to-pdf',
    'markdown-to-pdf',
    'url-to-pdf',
    'file-to-pdf',
    'pdf-to-word',
    'pdf-to-presentation',
    'pdf-to-text',
    'pdf-to-xml',
    'pdf-to-html',
    'pdf-to-markdown',
    'pdf-to-csv',
    'pdf-to-xlsx',
    'pdf-to-pdfa',
    'pdf-to-vector',
    'vector-to-pdf',
    'pdf-to-text-editor',
    'text-editor-to-pdf',
    'pdf-to-video',
  ],
  Security: [
    'add-password',
    'remove-password',
    'add-watermark',
    'auto-redact',
    'redact',
    'redact-execute',
    'redact-preview',
    'cert-sign',
    'remove-cert-sign',
    'sanitize-pdf',
    'timestamp-pdf',
    'validate-signature',
    'verify-pdf',
  ],
  Other: [
    'ocr-pdf',
    'add-image',
    'extract-images',
    'update-metadata',
    'flatten',
    'repair',
    'remove-blanks',
    'add-page-numbers',
    'add-stamp',
    'get-info-on-pdf',
    'unlock-pdf-forms',
    'add-attachments',
    'list-attachments',
    'extract-attachments',
    'rename-attachment',
    'delete-attachment',
    'add-comments',
    'list-comments',
  ],
  Advance: [
    'compress-pdf',
    'extract-image-scans',
    'auto-rename',
    'auto-split-pdf',
    'replace-invert-pdf',
    'scanner-effect',
  ],
  Automation: ['handleData', 'automate', 'pipeline'],
  DeveloperTools: ['show-javascript'],
  DeveloperDocs: ['dev-api-docs', 'dev-folder-scanning-docs', 'dev-sso-guide-docs', 'dev-airgapped-docs'],
  enterprise: [],
};

/**
 * Groups by the tool that does the work; a key in several groups stays on while one of them is on (its alternatives).
 */
export const toolGroups: Readonly<Record<string, readonly string[]>> = {
  qpdf: ['repair', 'compress-pdf'],
  Ghostscript: ['repair', 'compress-pdf', 'crop', 'pdf-to-vector', 'vector-to-pdf'],
  Java: ['compress-pdf', 'crop', 'markdown-to-pdf'],
  tesseract: ['ocr-pdf'],
  OCRmyPDF: ['ocr-pdf'],
  LibreOffice: ['file-to-pdf', 'pdf-to-word', 'pdf-to-presentation', 'pdf-to-xml', 'pdf-to-html', 'pdf-to-pdfa'],
  Unoconvert: ['file-to-pdf'],
  Pdftohtml: ['pdf-to-html', 'pdf-to-markdown'],
  Weasyprint: ['html-to-pdf', 'url-to-pdf', 'markdown-to-pdf', 'eml-to-pdf'],
  Calibre: ['pdf-to-epub'],
  FFmpeg: ['pdf-to-video'],
  veraPDF: ['verify-pdf'],
  rar: ['pdf-to-cbr'],
  Python: ['extract-image-scans'],
  OpenCV: ['extract-image-scans'],
  ImageMagick: [],
  CLI: [],
  Javascript: [],
};

/** Tool groups that are the server itself, not a separate program. */
export const innerToolGroups: ReadonlySet<string> = new Set(['Java', 'CLI', 'Javascript']);

/** Tool groups that can replace each other; a key outside this list needs every tool group that names it. */
export const alternatives: ReadonlySet<string> = new Set([
  'repair',
  'compress-pdf',
  'crop',
  'ocr-pdf',
  'file-to-pdf',
  'pdf-to-html',
  'pdf-to-markdown',
  'markdown-to-pdf',
]);

const toolsByKey = new Map<string, string[]>();
for (const [group, keys] of Object.entries(toolGroups))
  for (const key of keys) toolsByKey.set(key, [...(toolsByKey.get(key) ?? []), group]);

/** Returns true when no tool is left for this key. */
export function withoutTool(key: string, removed: ReadonlySet<string>): boolean {
  const groups = toolsByKey.get(key) ?? [];
  return alternatives.has(key)
    ? groups.every((group) => removed.has(group))
    : groups.some((group) => removed.has(group));
}

const functionsByKey = new Map<string, string[]>();
for (const [group, keys] of Object.entries(functionalGroups))
  for (const key of keys) functionsByKey.set(key, [...(functionsByKey.get(key) ?? []), group]);

/** Returns the functional groups of a key. */
export function functionalGroupsOf(key: string): readonly string[] {
  return functionsByKey.get(key) ?? [];
}
