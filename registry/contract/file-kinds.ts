/** A file type: its media type, its extensions (the first one is used for answers) and its first bytes. */
export interface FileKindInfo {
  /** For messages, with an article: `a Word document`. */
  readonly name: string;
  readonly mediaType: string;
  readonly extensions: readonly string[];
  /** Byte signatures; a kind without one is recognised by its extension alone. `at` is the offset, `hex` the bytes. */
  readonly magic?: readonly { readonly at: number; readonly hex: string }[];
}

const zipMagic = [
  { at: 0, hex: '504b0304' },
  { at: 0, hex: '504b0506' },
] as const;
const oleMagic = [{ at: 0, hex: 'd0cf11e0a1b11ae1' }] as const;

/** Every file type that an operation may accept or return. Extensions follow `docs/interface/pipeline.yml`. */
export const fileKinds = {
  pdf: { name: 'a PDF', mediaType: 'application/pdf', extensions: ['pdf'], magic: [{ at: 0, hex: '255044462d' }] },
  png: {
    name: 'a PNG image',
    mediaType: 'image/png',
    extensions: ['png'],
    magic: [{ at: 0, hex: '89504e470d0a1a0a' }],
  },
  jpeg: {
    name: 'a JPEG image',
    mediaType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    magic: [{ at: 0, hex: 'ffd8ff' }],
  },
  gif: { name: 'a GIF image', mediaType: 'image/gif', extensions: ['gif'], magic: [{ at: 0, hex: '47494638' }] },
  bmp: { name: 'a BMP image', mediaType: 'image/bmp', extensions: ['bmp'], magic: [{ at: 0, hex: '424d' }] },
  tiff: {
    name: 'a TIFF image',
    mediaType: 'image/tiff',
    extensions: ['tiff', 'tif'],
    magic: [
      { at: 0, hex: '49492a00' },
      { at: 0, hex: '4d4d002a' },
      { at: 0, hex: '49492b00' },
    ],
  },
  webp: { name: 'a WebP image', mediaType: 'image/webp', extensions: ['webp'], magic: [{ at: 8, hex: '57454250' }] },
  heif: {
    name: 'a HEIF or AVIF image',
    mediaType: 'image/avif',
    extensions: ['avif', 'heic', 'heif'],
    magic: [{ at: 4, hex: '66747970' }],
  },
  psd: {
    name: 'a Photoshop image',
    mediaType: 'image/vnd.adobe.photoshop',
    extensions: ['psd'],
    magic: [{ at: 0, hex: '38425053' }],
  },
  svg: { name: 'an SVG image', mediaType: 'image/svg+xml', extensions: ['svg'] },
  eps: {
    name: 'a PostScript file',
    mediaType: 'application/postscript',
    extensions: ['eps', 'ps', 'epsf', 'ai'],
    magic: [
      { at: 0, hex: '25215053' },
      { at: 0, hex: 'c5d0d3c6' },
    ],
  },
  pcl: {
    name: 'a PCL file',
    mediaType: 'application/vnd.hp-PCL',
    extensions: ['pcl', 'pxl'],
    magic: [{ at: 0, hex: '1b252d31323334355840504a4c' }],
  },
  zip: { name: 'a ZIP archive', mediaType: 'application/zip', extensions: ['zip'], magic: zipMagic },
  rar: {
    name: 'a RAR archive',
    mediaType: 'application/vnd.rar',
    extensions: ['rar'],
    magic: [{ at: 0, hex: '526172211a07' }],
  },
  '7z': {
    name: 'a 7z archive',
    mediaType: 'application/x-7z-compressed',
    extensions: ['7z'],
    magic: [{ at: 0, hex: '377abcaf271c' }],
  },
  xps: {
    name: 'an XPS document',
    mediaType: 'application/vnd.ms-xpsdocument',
    extensions: ['xps', 'oxps'],
    magic: zipMagic,
  },
  cbz: {
    name: 'a comic book archive',
    mediaType: 'application/vnd.comicbook+zip',
    extensions: ['cbz'],
    magic: zipMagic,
  },
  cbr: {
    name: 'a comic book archive',
    mediaType: 'application/vnd.comicbook-rar',
    extensions: ['cbr'],
    magic: [{ at: 0, hex: '526172211a07' }],
  },
  docx: {
    name: 'a Word document',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['docx'],
    magic: zipMagic,
  },
  doc: { name: 'a Word 97-2003 document', mediaType: 'application/msword', extensions: ['doc'], magic: oleMagic },
  odt: {
    name: 'an OpenDocument text',
    mediaType: 'application/vnd.oasis.opendocument.text',
    extensions: ['odt'],
    magic: zipMagic,
  },
  rtf: {
    name: 'an RTF document',
    mediaType: 'application/rtf',
    extensions: ['rtf'],
    magic: [{ at: 0, hex: '7b5c727466' }],
  },
  xlsx: {
    name: 'an Excel workbook',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx'],
    magic: zipMagic,
  },
  xls: {
    name: 'an Excel 97-2003 workbook',
    mediaType: 'application/vnd.ms-excel',
    extensions: ['xls'],
    magic: oleMagic,
  },
  ods: {
    name: 'an OpenDocument spreadsheet',
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    extensions: ['ods'],
    magic: zipMagic,
  },
  pptx: {
    name: 'a PowerPoint presentation',
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    extensions: ['pptx'],
    magic: zipMagic,
  },
  ppt: {
    name: 'a PowerPoint 97-2003 presentation',
    mediaType: 'application/vnd.ms-powerpoint',
    extensions: ['ppt'],
    magic: oleMagic,
  },
  odp: {
    name: 'an OpenDocument presentation',
    mediaType: 'application/vnd.oasis.opendocument.presentation',
    extensions: ['odp'],
    magic: zipMagic,
  },
  csv: { name: 'a CSV file', mediaType: 'text/csv', extensions: ['csv'] },
  js: { name: 'a JavaScript file', mediaType: 'text/javascript', extensions: ['js', 'jsx'] },
  html: { name: 'an HTML page', mediaType: 'text/html', extensions: ['html', 'htm', 'xhtml'] },
  json: { name: 'a JSON file', mediaType: 'application/json', extensions: ['json', 'jsonl'] },
  md: { name: 'a Markdown file', mediaType: 'text/markdown', extensions: ['md', 'markdown'] },
  txt: { name: 'a text file', mediaType: 'text/plain', extensions: ['txt', 'text'] },
  xml: { name: 'an XML file', mediaType: 'application/xml', extensions: ['xml', 'xsd', 'xsl'] },
  epub: { name: 'an EPUB book', mediaType: 'application/epub+zip', extensions: ['epub'], magic: zipMagic },
  mobi: { name: 'a Kindle book', mediaType: 'application/x-mobipocket-ebook', extensions: ['mobi', 'azw3', 'azw'] },
  fb2: { name: 'a FictionBook', mediaType: 'application/x-fictionbook+xml', extensions: ['fb2'] },
  eml: { name: 'an email', mediaType: 'message/rfc822', extensions: ['eml'] },
  msg: { name: 'an Outlook message', mediaType: 'application/vnd.ms-outlook', extensions: ['msg'], magic: oleMagic },
  p12: { name: 'a PKCS#12 keystore', mediaType: 'application/x-pkcs12', extensions: ['p12', 'pfx'] },
  jks: {
    name: 'a Java keystore',
    mediaType: 'application/x-java-keystore',
    extensions: ['jks', 'jceks', 'keystore'],
    magic: [
      { at: 0, hex: 'feedfeed' },
      { at: 0, hex: 'cececece' },
    ],
  },
  cer: { name: 'a certificate', mediaType: 'application/pkix-cert', extensions: ['cer', 'crt', 'der', 'pem'] },
  p7b: {
    name: 'a PKCS#7 certificate bundle',
    mediaType: 'application/x-pkcs7-certificates',
    extensions: ['p7b', 'p7c'],
  },
  key: { name: 'a private key', mediaType: 'application/pkcs8', extensions: ['key', 'p8', 'pk8'] },
  bin: { name: 'a file of any type', mediaType: 'application/octet-stream', extensions: ['bin'] },
} as const satisfies Record<string, FileKindInfo>;

/** A concrete file type. */
export type ConcreteKind = keyof typeof fileKinds;
/** A type as an operation declares it; `any` accepts every file. */
export type FileKind = ConcreteKind | 'any';

/** Raster images that every image operation can read. */
export const rasterKinds = ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp'] as const satisfies readonly ConcreteKind[];

const byExtension = new Map<string, ConcreteKind>();
for (const [kind, info] of Object.entries(fileKinds)) {
  for (const extension of info.extensions)
    if (!byExtension.has(extension)) byExtension.set(extension, kind as ConcreteKind);
}

export function kindInfo(kind: ConcreteKind): FileKindInfo {
  return fileKinds[kind];
}

/** The name of a type for messages, with its extension: `a Word document (.docx)`. */
export function kindName(kind: ConcreteKind): string {
  const { name, extensions } = fileKinds[kind];
  return `${name} (.${extensions[0]})`;
}

/** The type of a file name's extension, or undefined. */
export function kindOfName(name: string): ConcreteKind | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

function hasMagic(head: Uint8Array, info: FileKindInfo): boolean {
  return (info.magic ?? []).some(({ at, hex }) => {
    for (let i = 0; i < hex.length / 2; i++)
      if (head[at + i] !== parseInt(hex.slice(i * 2, i * 2 + 2), 16)) return false;
    return true;
  });
}

/**
 * Returns whether the first bytes (1024 are enough) match this type, regardless of the file name; true for types
 * without a signature.
 */
export function beginsLike(head: Uint8Array, kind: ConcreteKind): boolean {
  const info: FileKindInfo = fileKinds[kind];
  return info.magic === undefined || hasMagic(head, info) || (kind === 'pdf' && indexOfPdfHeader(head) >= 0);
}

/**
 * Determines the type of a file from its first bytes (1024 are enough) and its name. Bytes take precedence over the
 * name; the name decides among types that share a signature (docx and zip) and for types without one. Up to 1024 bytes
 * of other data may precede a PDF header (ISO 32000-1, Annex H.3, note 13).
 */
export function sniffKind(head: Uint8Array, name: string): ConcreteKind | undefined {
  const named = kindOfName(name);
  // An Outlook message with the extension of an internet mail; other extensions of compound files belong to other
  // documents.
  if (named === 'eml' && hasMagic(head, fileKinds.msg)) return 'msg';
  if (named !== undefined && hasMagic(head, fileKinds[named])) return named;
  for (const [kind, info] of Object.entries(fileKinds) as [ConcreteKind, FileKindInfo][]) {
    // Two bytes are too few: a bitmap must also have the extension.
    if (kind !== 'bmp' && hasMagic(head, info)) return kind;
  }
  if (indexOfPdfHeader(head) >= 0) return 'pdf';
  return beginsLikeSvg(head) ? 'svg' : named;
}

const instruction = /<\?[^>]*>\s*/.source;
const comment = /<!--(?:(?!-->)[\s\S])*-->\s*/.source;
const documentType = /<!DOCTYPE\s+svg\b[^[>]*(?:\[[^\]]*\]\s*)?>\s*/.source;
const svgStart = new RegExp(`^\\s*(?:${instruction}|${comment}|${documentType})*<(?:[\\w-]+:)?svg[\\s>/]`, 'i');

/**
 * An SVG has no signature but is recognised by its first element, after the declaration, comments and document type.
 */
function beginsLikeSvg(head: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 1024)).replace(/^\u00ef\u00bb\u00bf/, '');
  return svgStart.test(text);
}

function indexOfPdfHeader(head: Uint8Array): number {
  const limit = Math.min(head.length - 4, 1024);
  for (let i = 0; i < limit; i++) {
    if (
      head[i] === 0x25 &&
      head[i + 1] === 0x50 &&
      head[i + 2] === 0x44 &&
      head[i + 3] === 0x46 &&
      head[i + 4] === 0x2d
    )
      return i;
  }
  return -1;
}
