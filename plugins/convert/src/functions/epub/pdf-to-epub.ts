import { createHash } from 'node:crypto';
import { type LayoutDocument, type PictureFile, withLayout } from '@quire/document/layout';
import { styleSheet } from '../html/html-blocks.js';
import { writeZip } from '@quire/document/file/zip';
import { xmlText } from '../html/html-text.js';
import { PictureFiles } from '../html/pictures.js';
import { type BookText, type Chapter, Chapters, entriesHtml } from './chapters.js';

/** How a PDF becomes an e-book. */
export interface PdfToEpubOptions {
  /** Title of a document that has none. */
  readonly fallbackTitle: string;
  readonly detectChapters: boolean;
  /** `eink`: pictures in grey and of at most the size of such a screen. */
  readonly device: 'tablet' | 'eink';
  /** When the book was made. */
  readonly modified: Date;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Pixels of the screen of a reader with electronic ink. */
const EINK = { width: 1072, height: 1448 } as const;
const COVER_DPI = 100;

/**
 * Writes what a PDF says as an EPUB 3 (with the table of contents of EPUB 2, too) at `target`: chapters, headings,
 * lists, tables, pictures, links, footnotes, the first page as cover, the pages of the PDF as page list. `folder` is an
 * empty private folder. Errors: those of reading.
 */
export async function pdfToEpub(
  path: string,
  folder: string,
  target: string,
  options: PdfToEpubOptions,
): Promise<void> {
  await withLayout({ path }, { signal: options.signal, progress: options.progress }, async (layout) => {
    const change = options.device === 'eink' ? forInk : undefined;
    const pictures = new PictureFiles(layout, folder, (number, extension) => `picture-${number}.${extension}`, change);
    let cover: string | undefined;
    const book = new Chapters(layout, options.detectChapters, (picture) => pictures.add(picture));
    for await (const page of layout.pages()) {
      if (cover === undefined && page.number === 1) {
        const box = { left: 0, top: 0, right: page.width, bottom: page.height };
        cover = await pictures.add({
          source: 'drawing',
          page: page.number,
          box,
          index: undefined,
          key: undefined,
          width: 0,
          height: 0,
          dpi: COVER_DPI,
          format: 'drawing',
          colour: '',
          bits: 0,
        });
      }
      await book.add(page);
    }
    const text = book.finish();
    await writeZip(
      [
        // The first file, and not packed: by it readers know the format (EPUB 3.3, OCF, 4.2.6.1).
        { name: 'mimetype', content: 'application/epub+zip', stored: true },
        ...Array.from(parts(layout, text, cover, pictures, options), ([name, content]) => ({ name, content })),
        ...pictures.written.map(({ path: picture, name }) => ({
          path: picture,
          name: `OEBPS/${name}`,
          stored: true as const,
        })),
      ],
      target,
      options.signal,
    );
  });
}

async function forInk({ bytes }: PictureFile): Promise<PictureFile> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#fff' })
    .greyscale()
    .toColourspace('b-w')
    .resize({ ...EINK, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, format: 'jpeg', width: info.width, height: info.height };
}

function* parts(
  layout: LayoutDocument,
  text: BookText,
  cover: string | undefined,
  pictures: PictureFiles,
  options: PdfToEpubOptions,
): Generator<readonly [name: string, content: string]> {
  const title = layout.title ?? options.fallbackTitle;
  const language =
    layout.language !== undefined && /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(layout.language) ? layout.language : 'und';
  yield [
    'META-INF/container.xml',
    '<?xml version="1.0" encoding="UTF-8"?>\n<container version="1.0" ' +
      'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile ' +
      'full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n',
  ];
  const identifier = uuidOf(text.chapters);
  yield [
    'OEBPS/content.opf',
    packageDocument({ title, language, identifier, modified: options.modified, text, cover, pictures }),
  ];
  yield ['OEBPS/nav.xhtml', page({ title, language, body: navigation(text) })];
  yield ['OEBPS/toc.ncx', ncx(title, identifier, text)];
  yield ['OEBPS/style.css', styleSheet];
  if (cover !== undefined)
    yield [
      'OEBPS/cover.xhtml',
      page({
        title,
        language,
        body: `<section epub:type="cover"><img src="${cover}" alt="${xmlText(title)}"/></section>`,
      }),
    ];
  for (const { file, title: name, html } of text.chapters)
    yield [`OEBPS/${file}`, page({ title: name === '' ? title : name, language, body: html })];
}

function page({
  title,
  language,
  body,
}: {
  readonly title: string;
  readonly language: string;
  readonly body: string;
}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${language}"
  lang="${language}">
<head><meta charset="utf-8"/><title>${xmlText(title)}</title><link rel="stylesheet" type="text/css"
  href="style.css"/></head>
<body>
${body}
</body>
</html>
`;
}

function navigation({ entries, pages }: BookText): string {
  const list = pages.map(({ page: number, href }) => `<li><a href="${xmlText(href)}">${number}</a></li>`).join('\n');
  return (
    `<nav epub:type="toc" role="doc-toc"><h1>\u2261</h1>\n${entriesHtml(entries)}\n</nav>\n<nav ` +
    `epub:type="page-list" role="doc-pagelist" hidden="hidden"><ol>\n${list}\n</ol></nav>`
  );
}

interface PackageParts {
  readonly title: string;
  readonly language: string;
  readonly identifier: string;
  readonly modified: Date;
  readonly text: BookText;
  readonly cover: string | undefined;
  readonly pictures: PictureFiles;
}

function packageDocument({ title, language, identifier, modified, text, cover, pictures }: PackageParts): string {
  const images = pictures.written.map(
    ({ name, format }, i) =>
      `<item id="picture-${i + 1}" href="${name}" ` +
      `media-type="image/${format}"${name === cover ? ' properties="cover-image"' : ''}/>`,
  );
  const files = text.chapters.map(
    ({ file }, i) => `<item id="part-${i + 1}" href="${file}" media-type="application/xhtml+xml"/>`,
  );
  const coverId =
    cover === undefined
      ? ''
      : `<meta name="cover" content="picture-${pictures.written.findIndex(({ name }) => name === cover) + 1}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${identifier}</dc:identifier>
<dc:title>${xmlText(title)}</dc:title>
<dc:language>${language}</dc:language>
<meta property="dcterms:modified">${modified.toISOString().replace(/\.\d+Z$/, 'Z')}</meta>
${coverId}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${cover === undefined ? '' : '<item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>'}
${[...files, ...images].join('\n')}
</manifest>
<spine toc="ncx">
${cover === undefined ? '' : '<itemref idref="cover"/>'}
${text.chapters.map((_chapter, i) => `<itemref idref="part-${i + 1}"/>`).join('\n')}
</spine>
</package>
`;
}

function ncx(title: string, identifier: string, { entries }: BookText): string {
  const points = entries.map(
    ({ title: name, href }, i) =>
      `<navPoint id="point-${i + 1}" ` +
      `playOrder="${i + 1}"><navLabel><text>${xmlText(name)}</text></navLabel><content ` +
      `src="${xmlText(href)}"/></navPoint>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="urn:uuid:${identifier}"/></head>
<docTitle><text>${xmlText(title)}</text></docTitle>
<navMap>
${points.join('\n')}
</navMap>
</ncx>
`;
}

/** A version 8 UUID (RFC 9562, 5.8) of what the book says, so that the same book is known as the same. */
function uuidOf(chapters: readonly Chapter[]): string {
  const hash = createHash('sha256');
  for (const { html } of chapters) hash.update(html);
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
