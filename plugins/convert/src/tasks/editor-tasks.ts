import { defineTask, InputError, isQuireError } from '@quire/registry';

/** Long documents take their time. */
const LONG_MS = 300_000;

/** Looks whether a PDF can be edited, and writes what a session begins with. */
export const openEditor = defineTask<
  { readonly path: string; readonly target: string; readonly maxPages: number },
  { readonly pages: number; readonly signed: boolean }
>({
  name: 'editor.open',
  timeoutMs: LONG_MS,
  run: async ({ path, target, maxPages }) => {
    const [{ inspectPdf }, { writeOverview }] = await Promise.all([
      import('@quire/document/file/inspection'),
      import('@quire/document/content/editor'),
    ]);
    const { pages, signed } = await inspectPdf({ path }, { maxPages });
    await writeOverview(path, target);
    return { pages, signed };
  },
});

/** Writes one page of a document as JSON. */
export const tellPage = defineTask<
  { readonly path: string; readonly pageNumber: number; readonly target: string },
  null
>({
  name: 'editor.page',
  run: async ({ path, pageNumber, target }) => {
    const { writePage } = await import('@quire/document/content/editor');
    await writePage(path, pageNumber, target);
    return null;
  },
});

/** Writes the fonts of one page as JSON. */
export const tellPageFonts = defineTask<
  { readonly path: string; readonly pageNumber: number; readonly target: string },
  null
>({
  name: 'editor.fonts',
  run: async ({ path, pageNumber, target }) => {
    const { writePageFonts } = await import('@quire/document/content/editor');
    await writePageFonts(path, pageNumber, target);
    return null;
  },
});

/** Writes edited pages into a document. The result is reopened before it is returned. */
export const putPages = defineTask<
  {
    readonly path: string;
    readonly edits: { readonly path: string };
    readonly target: string;
    readonly modified: number;
    /** `pdfEditor.fallback-font`. */
    readonly ownFont?: string;
  },
  { readonly changed: boolean; readonly title: string | null }
>({
  name: 'editor.put',
  timeoutMs: LONG_MS,
  run: async ({ path, edits, target, modified, ownFont }, { signal }) => {
    const [{ writePartial }, { inspectResult }] = await Promise.all([
      import('@quire/document/content/editor'),
      import('@quire/document/file/inspection'),
    ]);
    const { changed, title, pages } = await writePartial(path, edits.path, target, {
      modified: new Date(modified),
      signal,
      ownFont,
    }).catch((error: unknown) => {
      // A body that is not JSON is a malformed request, not a wrong member.
      if (isQuireError(error) && error.code === 'INPUT_INVALID' && error.errors[0]?.pointer === '')
        throw new InputError('INPUT_MALFORMED', { detail: error.errors[0].detail }, [], { cause: error });
      throw error;
    });
    if (changed) await inspectResult({ path: target }, pages);
    return { changed, title: title ?? null };
  },
});

/** The tasks of editing sessions. */
export const editorTasks = [openEditor, tellPage, tellPageFonts, putPages];
