import { dictOf, setEntry } from '@quire/document/file/objects';
import { editFile, type OpenedPdf, withPdf } from '@quire/document/file/open';
import { mergeToFile } from '@quire/document/structure/merge';
import {
  normaliseAngle,
  type PageLabel,
  pageRotation,
  readPageLabels,
  writePageLabels,
  writePageTree,
} from '@quire/document/structure/pages';
import { InputError } from '@quire/registry/errors';
import { PDFName, PDFNumber, type PDFRef } from 'pdf-lib';
import { rearrangePages } from './rearrange-pages.js';

/** A page of one of the files, counted from 1. `rotate` is added to the page's rotation, in degrees clockwise. */
export interface PlacedPage {
  readonly file?: number;
  readonly page: number;
  readonly rotate?: number;
}

/** An empty page. Width and height in points, A4 by default. */
export interface BlankPage {
  readonly blank: true;
  readonly width?: number;
  readonly height?: number;
}

export type AssembledPage = PlacedPage | BlankPage;

interface AssembleOptions {
  /** Creates the path of a temporary file. */
  readonly temporary: (name: string) => string;
  readonly modified: Date;
  readonly onProgress: (done: number, total: number) => void;
}

const A4 = { width: 595.28, height: 841.89 } as const;

/**
 * Writes the listed pages, in their order, to `target`: those of one file are rearranged in it; those of several files
 * are taken from the merged files. Returns the 0-based index of the file that the first page is from. Throws
 * INPUT_INVALID for a file or page that does not exist and for blank pages only, and the errors of `openPdf`.
 */
export async function assemblePages(
  inputs: readonly { readonly name: string; readonly path: string }[],
  list: readonly AssembledPage[],
  target: string,
  options: AssembleOptions,
): Promise<number> {
  const used = usedFiles(list, inputs.length);
  const starts = await findStarts(inputs, used, list);
  const order = list.flatMap((item) => (isBlank(item) ? [] : [(starts.get(fileOf(item)) ?? 0) + item.page - 1]));
  const changes = list.some((item) => isBlank(item) || normaliseAngle(item.rotate ?? 0) !== 0);
  const { modified, temporary, onProgress } = options;
  const arranged = changes ? temporary('arranged.pdf') : target;
  await rearrangePages(await joined(inputs, used, options), arranged, () => order, modified);
  onProgress(1, 2);
  if (changes) {
    const edit = (opened: OpenedPdf): void => changePages(opened, list);
    await editFile(arranged, target, { mode: 'rewrite', repair: false, modified }, edit);
  }
  onProgress(2, 2);
  return used[0] ?? 0;
}

function isBlank(item: AssembledPage): item is BlankPage {
  return 'blank' in item && item.blank;
}

/** 0-based. */
function fileOf({ file = 1 }: PlacedPage): number {
  return file - 1;
}

/** The files of which pages are listed, in the order of their first page. */
function usedFiles(list: readonly AssembledPage[], files: number): number[] {
  const used = new Set<number>();
  list.forEach((item, at) => {
    if (isBlank(item)) return;
    if (fileOf(item) >= files) throw refused(at, 'file', `must be at most ${files}, the number of files sent`);
    used.add(fileOf(item));
  });
  if (used.size > 0) return [...used];
  const detail = 'must list at least one page of a file; it lists blank pages only';
  throw new InputError('INPUT_INVALID', { detail: `"pages" ${detail}` }, [{ pointer: '/pages', detail }]);
}

/** The index in the merged document of each file's first page. Throws INPUT_INVALID for a page that does not exist. */
async function findStarts(
  inputs: readonly { readonly path: string }[],
  used: readonly number[],
  list: readonly AssembledPage[],
): Promise<ReadonlyMap<number, number>> {
  const starts = new Map<number, number>();
  const counts = new Map<number, number>();
  let start = 0;
  for (const file of used) {
    const count = await withPdf({ path: inputs[file]?.path ?? '' }, {}, ({ pages }) => pages.length);
    starts.set(file, start);
    counts.set(file, count);
    start += count;
  }
  list.forEach((item, at) => {
    const count = isBlank(item) ? Infinity : (counts.get(fileOf(item)) ?? 0);
    if (!isBlank(item) && item.page > count)
      throw refused(at, 'page', `must be at most ${count}, the number of pages of file ${fileOf(item) + 1}`);
  });
  return starts;
}

function refused(at: number, member: string, detail: string): InputError {
  const pointer = `/pages/${at}/${member}`;
  return new InputError('INPUT_INVALID', { detail: `"pages/${at}/${member}" ${detail}` }, [{ pointer, detail }]);
}

async function joined(
  inputs: readonly { readonly name: string; readonly path: string }[],
  used: readonly number[],
  { temporary, modified }: AssembleOptions,
): Promise<string> {
  const files = used.flatMap((file) => inputs[file] ?? []);
  const [only] = files;
  if (files.length === 1 && only !== undefined) return only.path;
  const path = temporary('merged.pdf');
  await mergeToFile(files, path, { removeCertSign: true, modified });
  return path;
}

/** Rotates pages and inserts blank ones into a document that has the other pages in their order. */
function changePages({ document, pages }: OpenedPdf, list: readonly AssembledPage[]): void {
  const { context, catalog } = document;
  const labels = readPageLabels(context, pages.length);
  const placed: PDFRef[] = [];
  const newLabels: PageLabel[] = [];
  let next = 0;
  for (const item of list) {
    if (isBlank(item)) {
      placed.push(blankPage(document, item));
      newLabels.push({ style: undefined, prefix: '', number: 1 });
      continue;
    }
    const page = pages[next];
    if (page === undefined) throw new TypeError('the arranged document has every listed page');
    for (const [key, value] of page.inherited) setEntry(page.dict, key, value);
    if (normaliseAngle(item.rotate ?? 0) !== 0)
      setEntry(page.dict, 'Rotate', PDFNumber.of(normaliseAngle(pageRotation(context, page) + (item.rotate ?? 0))));
    placed.push(page.ref);
    newLabels.push(labels?.[next] ?? { style: 'D', prefix: '', number: next + 1 });
    next++;
  }
  setEntry(catalog, 'Pages', writePageTree(context, placed));
  if (labels !== undefined) setEntry(catalog, 'PageLabels', writePageLabels(context, newLabels));
}

function blankPage({ context }: OpenedPdf['document'], { width = A4.width, height = A4.height }: BlankPage): PDFRef {
  return context.register(
    dictOf(context, {
      Type: PDFName.of('Page'),
      MediaBox: context.obj([0, 0, width, height]),
      Resources: context.obj({}),
    }),
  );
}
