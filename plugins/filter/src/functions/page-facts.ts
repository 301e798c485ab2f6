import { inspectPdf } from '@quire/document/file/inspection';
import { withFirstPage } from '@quire/document/file/open';
import { pageBox, pageRotation } from '@quire/document/structure/pages';

/** Returns the page count of a PDF on disk, reading only the page tree. Throws PDF_DAMAGED and PDF_ENCRYPTED. */
export async function countPages(path: string): Promise<number> {
  return (await inspectPdf({ path })).pages;
}

/** Returns the area of the first page's media box in square points; rotation and crop box do not matter. */
export async function firstPageArea(path: string): Promise<number> {
  const [left, bottom, right, top] = await withFirstPage({ path }, (context, page) =>
    pageBox(context, page, 'MediaBox'),
  );
  return (right - left) * (top - bottom);
}

/** Returns the first page's /Rotate, inherited or not: 0, 90, 180 or 270. */
export async function firstPageRotation(path: string): Promise<number> {
  return withFirstPage({ path }, pageRotation);
}
