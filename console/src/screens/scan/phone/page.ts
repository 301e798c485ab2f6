import { config } from '../../../api/index.ts';
import type { Quad } from './quad.ts';
import { findSheet } from './sheet.ts';
import { straighten } from './straighten.ts';

/** A page on the phone: the picture, what was chosen for it, and what is sent. */
export interface Page {
  readonly id: number;
  readonly picture: Blob;
  readonly quad: Quad;
  /** Quarter turns to the right. */
  readonly turns: number;
  readonly result: Blob;
  readonly url: string;
}

let lastId = 0;

/** Makes a page of a picture, of which a sheet is cut out if one is found. Rejects if the browser cannot read it. */
export async function newPage(picture: Blob): Promise<Page> {
  return finish({ id: ++lastId, picture, quad: await findSheet(picture), turns: 0 });
}

/** The page with another picture; it keeps its place. */
export async function retaken(page: Page, picture: Blob): Promise<Page> {
  return changed(page, { picture, quad: await findSheet(picture), turns: 0 });
}

/** The page with other choices; it keeps its place. */
export async function changed(page: Page, change: Partial<Pick<Page, 'picture' | 'quad' | 'turns'>>): Promise<Page> {
  const after = await finish({ ...page, ...change });
  URL.revokeObjectURL(page.url);
  return after;
}

async function finish(page: Omit<Page, 'result' | 'url'>): Promise<Page> {
  const size = config.value?.mobileScannerImageResolution ?? 'full';
  const result = await straighten(page.picture, page.quad, page.turns, size);
  return { ...page, result, url: URL.createObjectURL(result) };
}
