import type { ShownPart } from '@quire/registry';
import type { Draft } from '../draft.ts';

/** Points: about as large as people sign on paper. */
const MOST = { width: 180, height: 60 };
/** Points from the left and the bottom of the page: visible at once, and easy to drag. */
const START = 72;

/**
 * Gives a signature that was made by hand a size and a place, where the tool has fields for them that nobody has filled
 * in. Its picture has many pixels, so that it is sharp in print; at a point each it would be larger than the page.
 */
export async function sizeSignature(draft: Draft, part: ShownPart, file: File): Promise<void> {
  const { roles } = draft.operation.groups.find(({ picture }) => picture === part.field) ?? {};
  const field = roles?.['width'];
  if (field === undefined || (draft.values.peek()[field] ?? '') !== '') return;
  const bitmap = await createImageBitmap(file);
  const width = Math.min(MOST.width, (MOST.height * bitmap.width) / bitmap.height);
  bitmap.close();
  draft.set(field, String(Math.round(width)));
  const corner = [roles?.['x'], roles?.['y']].filter((each) => each !== undefined);
  const isMoved = corner.some((each) => Number(draft.values.peek()[each] ?? 0) !== 0);
  if (!isMoved) for (const each of corner) draft.set(each, String(START));
}
