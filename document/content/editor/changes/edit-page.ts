import type { PDFContext } from 'pdf-lib';
import { actualTextOf, type ContentEditor, multiply, writeActualText } from '../../index.js';
import type { PageContent } from '../../drawing/index.js';
import { setEntry } from '../../../file/objects/index.js';
import type { PageEntry } from '../../../structure/pages/index.js';
import { drawText, drawXObject, embedImage, placeOfImage } from './add-elements.js';
import { changeImage, isSameImage, removeImage } from './edit-images.js';
import { changeText, type EditFonts, isSameText, removeText } from './edit-texts.js';
import { matchElements } from '../match-elements.js';
import type { ImageElement, JsonPage, TextElement } from '../model.js';
import type { ReadImage } from '../reading/read-images.js';
import type { PageReader, ReadPage } from '../reading/read-page.js';
import type { ReadText } from '../reading/read-texts.js';

export interface PageEditing {
  readonly context: PDFContext;
  readonly reader: PageReader;
  readonly editor: ContentEditor;
  readonly content: PageContent;
  readonly fonts: EditFonts;
}

/** Something to be drawn over a page, in its place among the rest. */
interface Addition {
  readonly zOrder: number;
  readonly operators: string;
}

/**
 * Applies a page's JSON to its content: removes missing texts and images, rewrites changed ones in place, draws new
 * ones on top. A missing list leaves its elements unchanged. `pointer` is the JSON pointer of the page. True if
 * anything changed. Throws the codes of `PageReader`, IMAGE_UNREADABLE, IMAGE_TOO_LARGE.
 */
export async function editPage(
  editing: PageEditing,
  page: PageEntry,
  json: JsonPage,
  pointer: string,
): Promise<boolean> {
  const { reader, editor, content } = editing;
  const read = reader.read(page);
  const over: Addition[] = [];
  const texts = await editTexts(editing, read, json, over);
  const images = await editImages(editing, read, json, pointer, over);
  editor.commit(page, read.frame);
  if (!texts && !images && over.length === 0) return false;
  if (over.length > 0)
    content.surround(page, {
      over: over
        .sort((a, b) => a.zOrder - b.zOrder)
        .map(({ operators }) => operators)
        .join('\n'),
    });
  // A small picture of the page and what its maker keeps of it show it as it was.
  for (const key of ['Thumb', 'PieceInfo']) setEntry(page.dict, key, undefined);
  return true;
}

async function editTexts(
  { fonts }: PageEditing,
  { texts, space, frame }: ReadPage,
  { textElements, pageNumber }: JsonPage,
  over: Addition[],
): Promise<boolean> {
  if (textElements === undefined) return false;
  const { kept, removed, added } = matchElements<TextElement, ReadText>(
    texts,
    textElements,
    ({ text, fontId, x, y, textMatrix }) =>
      JSON.stringify([
        text,
        fontId,
        Math.round((textMatrix?.[4] ?? x ?? 0) * 50),
        Math.round((textMatrix?.[5] ?? y ?? 0) * 50),
      ]),
    (was, now) => now.fontId === undefined || was.fontId === now.fontId || was.text === now.text,
  );
  const changed = new Map<ReadText, string>();
  for (const read of removed) {
    removeText(read);
    changed.set(read, '');
  }
  const elsewhere: TextElement[] = [...added];
  for (const [read, now] of kept) {
    if (isSameText(read.element, now)) continue;
    changed.set(read, now.text ?? read.element.text ?? '');
    if (await changeText(read, now, space, fonts)) continue;
    removeText(read);
    elsewhere.push({ ...read.element, ...now });
  }
  for (const now of elsewhere) {
    const operators = await drawText(now, pageNumber, space, fonts, (kind, value, stem) =>
      frame.resourceName(kind, value, stem),
    );
    if (operators !== '') over.push({ zOrder: now.zOrder ?? Infinity, operators });
  }
  rewriteActualTexts(texts, changed);
  return changed.size > 0;
}

/** Updates the replacement text of marked content to its new text (ISO 32000-1, 14.9.4). */
function rewriteActualTexts(texts: readonly ReadText[], changed: ReadonlyMap<ReadText, string>): void {
  const touched = new Set(
    [...changed].flatMap(([{ run, element }, text]) =>
      text === element.text ? [] : [actualTextOf(run.marked)?.marked],
    ),
  );
  for (const marked of touched) {
    if (marked === undefined) continue;
    const inside = texts.filter(({ run }) => actualTextOf(run.marked)?.marked === marked);
    writeActualText(marked, inside.map((read) => changed.get(read) ?? read.element.text ?? '').join(''));
  }
}

async function editImages(
  { context }: PageEditing,
  { images, space, frame }: ReadPage,
  { imageElements }: JsonPage,
  pointer: string,
  over: Addition[],
): Promise<boolean> {
  if (imageElements === undefined) return false;
  const places = new Map(imageElements.map((element, i) => [element, `${pointer}/imageElements/${i}/imageData`]));
  const { kept, removed, added } = matchElements<ImageElement, ReadImage>(
    images,
    imageElements,
    ({ objectName, transform, x, y, width, height }) =>
      JSON.stringify([
        objectName ?? '',
        ...(transform ?? [width, height, x, y]).map((value) => Math.round((value ?? 0) * 50)),
      ]),
    (was, now) => now.objectName === was.objectName,
  );
  for (const read of removed) removeImage(read);
  let changed = removed.length > 0;
  for (const [read, now] of kept) {
    if (isSameImage(read.element, now)) continue;
    changed = true;
    const drawn = await changeImage(context, read, now, space, places.get(now) ?? pointer);
    if (drawn !== undefined) over.push({ zOrder: now.zOrder ?? Infinity, operators: drawn.over });
  }
  for (const now of added) {
    const place = placeOfImage(now);
    if (now.imageData === undefined || place === undefined) continue;
    const { value, upright } = await embedImage(context, now.imageData, places.get(now) ?? pointer);
    over.push({
      zOrder: now.zOrder ?? Infinity,
      operators: drawXObject(frame.resourceName('XObject', value, 'Image'), multiply(place, space.user), upright),
    });
  }
  return changed;
}
