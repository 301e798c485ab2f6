import type { PDFDict } from 'pdf-lib';
import { besideContent, ContentEditor, ContentReader } from '../../content/index.js';
import { setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { AreaErasure, type Removal } from './area-erasure.js';
import { type RedactArea, regionsOf } from './areas.js';
import { type Erased, Eraser, nothingErased } from './eraser.js';
import { ImageRepaints } from './image-repaints.js';
import { dropShared } from './shared-resources.js';
import { ReplacementTexts } from './replacement-texts.js';

export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RemovedContent {
  /** Counts of removed content for each page with an area, by `page.dict`; all zero if the areas were empty. */
  readonly pages: ReadonlyMap<PDFDict, Readonly<Erased>>;
}

/** Page entries that contain a copy of its content: thumbnail, private data of applications, metadata. */
const COPIES = ['Thumb', 'PieceInfo', 'Metadata'] as const;

/**
 * Removes the content inside areas of pages, in place: glyphs, parts of paths, pixels and shadings, wherever they are
 * defined, along with their replacement texts. Nothing is drawn instead. Pages without an area (by `page.dict`) are
 * neither read nor changed, unless they share removed resources. Annotations are left to the caller. The document must
 * be rewritten afterwards. Throws the errors of the content reader.
 */
export async function removeAreas(
  { document: { context }, pages }: OpenedPdf,
  areas: ReadonlyMap<PDFDict, readonly RedactArea[]>,
  { signal, onProgress }: RemoveOptions = {},
): Promise<RemovedContent> {
  const reader = new ContentReader(context);
  const replacementTexts = new ReplacementTexts(context);
  const removal: Removal = {
    reader,
    editor: new ContentEditor(reader, { prune: true }),
    replacementTexts,
    images: new ImageRepaints(context),
    masks: new Map(),
    left: new Set(),
  };
  const removed = new Map<PDFDict, Erased>();
  const concerned = distinct(pages).filter(({ dict }) => (areas.get(dict)?.length ?? 0) > 0);
  for (const [i, page] of concerned.entries()) {
    signal?.throwIfAborted();
    const erased = nothingErased();
    removal.masks.clear();
    const erasure = new AreaErasure(removal, page, regionsOf(areas.get(page.dict) ?? []), erased);
    const frame = reader.page(page, new Eraser(erasure, replacementTexts, page, erased).visitor);
    erasure.close();
    if (removal.editor.commit(page, frame)) {
      removed.set(page.dict, erased);
      for (const key of COPIES) setEntry(page.dict, key, undefined);
    }
    await removal.images.make(signal);
    onProgress?.(i + 1, concerned.length);
  }
  dropShared(context, pages, new Set([...removal.left, ...removal.editor.changedForms()]));
  removal.editor.finish(pages, () => besideContent(context, pages));
  replacementTexts.finish();
  return { pages: removed };
}

/** Returns each page once, even if it occurs in the tree several times. */
function distinct(pages: readonly PageEntry[]): PageEntry[] {
  return [...new Map(pages.map((page) => [page.dict, page])).values()];
}
