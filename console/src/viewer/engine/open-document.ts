import { bitmaps } from './bitmap-cache.ts';
import { connection } from './connection.ts';
import { displaySize, type PageBox, pageBoxOf } from './geometry.ts';
import type { OpenedDocument, OutlineEntry, RenderRequest, SearchMatch, SearchQuery, TextRun } from './protocol.ts';

/** Smaller is more urgent. */
export const PRIORITY = { visible: 0, thumbnail: 1, near: 2, text: 3, search: 4 } as const;

/** An open PDF. Pages are 0-based. Close it when it is not shown any more. */
export class ViewedDocument {
  private constructor(
    private readonly id: number,
    private readonly opened: OpenedDocument,
  ) {}

  /** Throws ViewError. */
  static async open(file: Blob, password?: string): Promise<ViewedDocument> {
    const { id, ...opened } = await connection.open(file, password);
    return new ViewedDocument(id, opened);
  }

  get pageCount(): number {
    return this.opened.pageCount;
  }

  get encrypted(): boolean {
    return this.opened.encrypted;
  }

  box(page: number): PageBox {
    return pageBoxOf(this.opened.boxes, page);
  }

  /** Points, as displayed. */
  size(page: number): { readonly width: number; readonly height: number } {
    return displaySize(this.box(page));
  }

  /** Returns a bitmap that is kept only until others need the memory: draw it at once. Throws ViewError. */
  async render(request: RenderRequest, priority: number, signal?: AbortSignal): Promise<ImageBitmap> {
    const { page, width, height, turns, clip } = request;
    const part = clip === undefined ? '' : `${clip.x},${clip.y},${clip.width},${clip.height}`;
    const key = `${this.id}:${page}:${width}x${height}:${turns}:${part}`;
    const known = bitmaps.get(key);
    if (known !== undefined) return known;
    const bitmap = (await connection.call(
      { type: 'render', document: this.id, ...request },
      { priority, ...(signal === undefined ? {} : { signal }) },
    )) as ImageBitmap;
    bitmaps.set(key, bitmap);
    return bitmap;
  }

  async text(page: number, signal?: AbortSignal): Promise<readonly TextRun[]> {
    const options = { priority: PRIORITY.text, ...(signal === undefined ? {} : { signal }) };
    return (await connection.call({ type: 'text', document: this.id, page }, options)) as TextRun[];
  }

  async outline(): Promise<readonly OutlineEntry[]> {
    return (await connection.call(
      { type: 'outline', document: this.id },
      { priority: PRIORITY.text },
    )) as OutlineEntry[];
  }

  /** Searches all pages, beginning with the page `from`; reports the matches of each page and the pages searched. */
  async search(
    query: SearchQuery,
    from: number,
    onMatches: (matches: readonly SearchMatch[], searched: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const options = { priority: PRIORITY.search, signal, onMatches };
    await connection.call({ type: 'search', document: this.id, query, from }, options);
  }

  close(): void {
    bitmaps.clear(`${this.id}:`);
    connection.close(this.id);
  }
}
