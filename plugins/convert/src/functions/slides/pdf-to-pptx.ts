import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DocumentError } from '@quire/document';
import { type OpenPages, readOutline, withPages } from '@quire/document/layout';
import { breathe } from '@quire/document/render';
import type pptxgenjs from 'pptxgenjs';
import { safeLink } from '../safe-link.js';
import { xmlCharacters } from '../xml-characters.js';
import { isScan, pagePictures } from './page-pictures.js';
import { type BoxRun, type TextBox, textBoxes } from './text-boxes.js';

// The package says of neither of its builds what kind of module it is: only that for `require` loads everywhere.
const PptxGenJS = createRequire(import.meta.url)('pptxgenjs') as typeof pptxgenjs.default;

/** How a run goes. */
export interface SlidesOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/** Sides of slides in inches (ECMA-376 part 1, 20.1.10.17 in what programs take). */
const [MIN_SIDE, MAX_SIDE] = [1, 56];
/** Boxes of one slide; a page of more becomes a picture. */
const MAX_BOXES = 4000;
/** All pictures of a presentation in bytes: it is put together in memory. */
const MAX_PICTURE_BYTES = 400 * 1024 * 1024;
const TITLED = 'Titled';
const PLAIN = 'Plain';
const POINTS = 72;

/** From a page to its slide: inches per point, and where the page's corner comes to lie. */
interface Fit {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Makes a presentation (PPTX) at `target` of the PDF at `path`: a slide for each page, of the first page's size, others scaled and centred. Text stands in boxes where it is on the
 * page; what else is drawn lies under it as pictures. Errors: those of opening, IMAGE_TOO_LARGE, INPUT_TOO_COMPLEX for too many pictures, the signal's reason.
 */
export async function pdfToPptx(path: string, target: string, options: SlidesOptions): Promise<void> {
  await withPages({ path }, async (open) => {
    const presentation = new PptxGenJS();
    presentation.title = xmlCharacters(open.title ?? '');
    presentation.author = presentation.company = '';
    const sheet = slideSize(open.document.pageGeometry(0));
    presentation.defineLayout({ name: 'Page', ...sheet });
    presentation.layout = 'Page';
    presentation.defineSlideMaster({ title: PLAIN, background: { color: 'FFFFFF' } });
    presentation.defineSlideMaster({ title: TITLED, background: { color: 'FFFFFF' }, objects: [{ placeholder: { options: { name: 'title', type: 'title', x: 0, y: 0, w: sheet.width, h: 1 }, text: '' } }] });
    const titles = titlesOf(open);
    let bytes = 0;
    for (let index = 0; index < open.pageCount; index++) {
      await breathe(options.signal);
      bytes += await addSlide(presentation, open, index, sheet, titles.get(index + 1));
      if (bytes > MAX_PICTURE_BYTES) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'bytes of pictures', limit: MAX_PICTURE_BYTES });
      options.progress?.(index + 1, open.pageCount);
    }
    await writeFile(target, (await presentation.write({ outputType: 'uint8array', compression: true })) as Uint8Array);
  });
}

/** Size of the slides in inches: that of the page, as far as programs take it. */
function slideSize({ width, height }: { readonly width: number; readonly height: number }): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, (MAX_SIDE * POINTS) / Math.max(width, height));
  return { width: Math.max(MIN_SIDE, (width * scale) / POINTS), height: Math.max(MIN_SIDE, (height * scale) / POINTS) };
}

/** The first title that the outline has for a page. */
function titlesOf({ document }: OpenPages): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { title, page } of readOutline(document)) if (page !== undefined && title !== '' && !titles.has(page)) titles.set(page, comparable(title));
  return titles;
}

function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Gives the bytes of the slide's pictures. */
async function addSlide(presentation: InstanceType<typeof PptxGenJS>, { document, reader, pageCount }: OpenPages, index: number, sheet: { readonly width: number; readonly height: number }, title: string | undefined): Promise<number> {
  const page = reader.read(index);
  const boxes = textBoxes(page);
  const flat = boxes.length > MAX_BOXES;
  const pictures = await pagePictures(document, index, page, flat);
  const scale = Math.min(sheet.width / Math.max(1, page.width), sheet.height / Math.max(1, page.height));
  const fit = { scale, x: (sheet.width - page.width * scale) / 2, y: (sheet.height - page.height * scale) / 2 };
  const shown = flat ? [] : boxes;
  // The outline may leave out a heading's number, or the page break the heading.
  const named = title === undefined ? undefined : shown.find(({ lines }) => comparable(lines.flat().map(({ text }) => text).join('')).endsWith(title));
  const slide = presentation.addSlide({ masterName: named === undefined ? PLAIN : TITLED });
  for (const { format, bytes, ...place } of pictures) slide.addImage({ data: `image/${format};base64,${Buffer.from(bytes).toString('base64')}`, ...placed(place, fit) });
  const hidden = shown.length > 0 && isScan(document, index);
  for (const box of shown) {
    slide.addText(box.lines.flatMap((line, i) => line.map((run, j) => textProps(run, { first: j === 0 && i > 0, hidden, pageCount, scale: scale * POINTS }))), {
      ...placed(box, fit), ...boxProps(box, scale * POINTS), ...(box === named ? { placeholder: 'title' } : {}),
    });
  }
  return pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function placed({ left, top, width, height }: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }, { scale, x, y }: Fit) {
  return { x: x + left * scale, y: y + top * scale, w: width * scale, h: height * scale };
}

function boxProps({ align, rtl, turn, leading }: TextBox, scale: number): pptxgenjs.default.TextPropsOptions {
  return { margin: 0, wrap: false, fit: 'none', valign: 'top', align, isTextBox: true, lineSpacing: Math.max(1, leading * scale), ...(rtl ? { rtlMode: true } : {}), ...(turn === 0 ? {} : { rotate: turn }) };
}

function textProps({ text, style, link }: BoxRun, { first, hidden, pageCount, scale }: { readonly first: boolean; readonly hidden: boolean; readonly pageCount: number; readonly scale: number }): pptxgenjs.default.TextProps {
  const hyperlink = link === undefined ? undefined : 'uri' in link ? urlLink(link.uri) : link.page >= 1 && link.page <= pageCount ? { slide: link.page } : undefined;
  return {
    text: xmlCharacters(text),
    options: {
      fontFace: xmlCharacters(style.family) || 'Arial', fontSize: Math.max(1, Math.round(style.size * scale * 10) / 10), bold: style.bold, italic: style.italic, color: style.colour.slice(1).toUpperCase(),
      ...(first ? { softBreakBefore: true } : {}), ...(hidden ? { transparency: 100 } : {}), ...(hyperlink === undefined ? {} : { hyperlink }),
    },
  };
}

function urlLink(uri: string): { readonly url: string } | undefined {
  const url = safeLink(uri);
  return url === undefined ? undefined : { url };
}
