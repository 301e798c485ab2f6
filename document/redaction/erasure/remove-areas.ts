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
import { Silencer } from './silencer.js';

/** How to remove. */
export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What left a document. */
export interface RemovedContent {
  /** How much left each page that had an area, by `page.dict`; nothing of a page in which nothing lay there. */
  readonly pages: ReadonlyMap<PDFDict, Readonly<Erased>>;
}

/** Entries of a page that hold it as it was: its thumbnail, private data of authoring programs, metadata. */
const COPIES = ['Thumb', 'PieceInfo', 'Metadata'] as const;

/**
 * Removes what lies in areas of pages from their content, in place: glyphs, parts of paths, pixels, shadings, wherever
 * they stand, with the texts that stand for them. Nothing is drawn in their place. Pages without an area (by
 * `page.dict`) are neither read nor touched, except those that share what was removed. Annotations are the caller's.
 * The document must be rewritten afterwards. Errors: those of the content reader.
 */
export async function removeAreas(
  { document: { context }, pages }: OpenedPdf,
  areas: ReadonlyMap<PDFDict, readonly RedactArea[]>,
  { signal, onProgress }: RemoveOptions = {},
): Promise<RemovedContent> {
  const reader = new ContentReader(context);
  const silencer = new Silencer(context);
  const removal: Removal = {
    reader,
    editor: new ContentEditor(reader, { prune: true }),
    silencer,
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
    const frame = reader.page(page, new Eraser(erasure, silencer, page, erased).visitor);
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
  silencer.finish();
  return { pages: removed };
}

/** A page that hangs in the tree twice is one. */
function distinct(pages: readonly PageEntry[]): PageEntry[] {
  return [...new Map(pages.map((page) => [page.dict, page])).values()];
}
