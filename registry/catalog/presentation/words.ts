/** Words that are written otherwise than the rest of a label. */
const SPELLINGS: Readonly<Record<string, string>> = {
  api: 'API',
  azw3: 'AZW3',
  bcc: 'BCC',
  cbr: 'CBR',
  cbz: 'CBZ',
  cc: 'CC',
  csv: 'CSV',
  dpi: 'DPI',
  eml: 'EML',
  epub: 'EPUB',
  html: 'HTML',
  id: 'ID',
  ids: 'IDs',
  javascript: 'JavaScript',
  json: 'JSON',
  ocr: 'OCR',
  pdf: 'PDF',
  pdfa: 'PDF/A',
  pdfs: 'PDFs',
  qr: 'QR',
  rtf: 'RTF',
  svg: 'SVG',
  tsa: 'TSA',
  url: 'URL',
  xlsx: 'XLSX',
  xml: 'XML',
  xmp: 'XMP',
};

/**
 * Returns the words of a field's name, a value or a path, as a label: `pageNumbers` is "Page numbers", `SPLIT_ALL` is
 * "Split all", `A4` stays.
 */
export function wordsOf(name: string): string {
  const shouted = name === name.toUpperCase() && /[_\s]|\p{Lu}{3}/u.test(name);
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_/-]+/)
    .filter((word) => word !== '')
    .map((word) => SPELLINGS[word.toLowerCase()] ?? (shouted || isPlainWord(word) ? word.toLowerCase() : word));
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** True for a word with at most its first letter in upper case; `A4` and `RTL` are names. */
function isPlainWord(word: string): boolean {
  return /^\p{Lu}?\p{Ll}*$/u.test(word) && word.length > 1;
}
