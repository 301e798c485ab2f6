import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type LayoutDocument, type OutlineEntry, withLayout } from '@quire/document/layout';
import { writeZip } from '@quire/document/file/zip';
import { type BlockHtml, blocksHtml, footnotesHtml, styleSheet } from './html-blocks.js';
import { xmlText } from './html-text.js';
import { nestedList } from './nested-list.js';
import { PictureFiles } from './pictures.js';

/** How a PDF becomes a web page. */
export interface PdfToHtmlOptions {
  /** Name of the page without its extension, and beginning of the names of its pictures. */
  readonly base: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Writes a zip to `target` with `<base>.html`, which says what the PDF says in reading order, and its pictures beside
 * it (`<base>-1.png`). `folder` is an empty private folder. No script, nothing from elsewhere. Errors: those of
 * reading.
 */
export async function pdfToHtml(
  path: string,
  folder: string,
  target: string,
  { base, signal, progress }: PdfToHtmlOptions,
): Promise<void> {
  await withLayout({ path }, { signal, progress }, async (layout) => {
    const pictures = new PictureFiles(layout, folder, (number, extension) => `${base}-${number}.${extension}`);
    const page = join(folder, 'page.html');
    const file = await open(page, 'wx', 0o600);
    try {
      const put = async (text: string): Promise<void> => void (await file.write(text));
      await put(headOf(layout, base));
      const context = contextOf(layout, pictures);
      for await (const { number, blocks, footnotes } of layout.pages()) {
        for (const { id } of footnotes) context.notes.add(id);
        const notes = await footnotesHtml(footnotes, noteId, context);
        await put(
          `<section id="page-${number}">\n${await blocksHtml(blocks, context)}\n` +
            `${notes === '' ? '' : `${notes}\n`}</section>\n`,
        );
      }
      await put('</body>\n</html>\n');
    } finally {
      await file.close();
    }
    await writeZip(
      [
        { path: page, name: `${base}.html` },
        ...pictures.written.map(({ path: picture, name }) => ({ path: picture, name, stored: true as const })),
      ],
      target,
      signal,
    );
  });
}

function contextOf(
  { fonts, pageCount }: LayoutDocument,
  pictures: PictureFiles,
): BlockHtml & { readonly notes: Set<string> } {
  const notes = new Set<string>();
  return {
    notes,
    bodySize: fonts.bodySize,
    looks: true,
    pageLink: (page) => (page >= 1 && page <= pageCount ? `#page-${page}` : undefined),
    noteLink: (id) => (notes.has(id) ? { href: `#${noteId(id)}`, markId: `mark-${noteId(id)}` } : undefined),
    picture: async (picture) => {
      const name = await pictures.add(picture);
      return name === undefined ? undefined : encodeURIComponent(name);
    },
    headingId: () => undefined,
  };
}

function noteId(id: string): string {
  return `note-${id.replace(/[^\w-]/g, '-')}`;
}

function headOf({ title, language, outline }: LayoutDocument, base: string): string {
  const lang = language !== undefined && /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(language) ? ` lang="${language}"` : '';
  return `<!DOCTYPE html>
<html${lang}>
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'"/>
<title>${xmlText(title ?? base)}</title>
<style>
${styleSheet}</style>
</head>
<body>
${outline.length === 0 ? '' : `<nav>\n${outlineHtml(outline)}\n</nav>\n`}`;
}

function outlineHtml(outline: readonly OutlineEntry[]): string {
  return nestedList(
    outline.map(({ title, level, page }) => ({
      level,
      html: page === undefined ? xmlText(title) : `<a href="#page-${page}">${xmlText(title)}</a>`,
    })),
    'ul',
  );
}
