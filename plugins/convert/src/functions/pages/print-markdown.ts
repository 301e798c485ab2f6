import { decodeHtml } from '../clean-html.js';
import { cleanPage, filesBeside } from './clean-page.js';
import { markdownPage } from './markdown-page.js';
import { markdownStyle } from './markdown-style.js';
import { MissingResources } from './missing-resources.js';
import { unpackPage } from './page-folder.js';
import { type PageSource, plainText, printClean, type PrintTools, readPage } from './print-page.js';

/** Task lists come as check boxes, which are forms; marks say the same on paper. */
const checkBox = /<input class="task-list-item-checkbox"( checked="")?[^>]*>/g;

/** Prints a Markdown file, or the one of a zip, to a PDF and gives its path. Errors: those of `printHtml`. */
export async function printMarkdown(source: PageSource, tools: PrintTools): Promise<string> {
  const place = await unpackPage(source, `${tools.folder}/page`, ['md', 'markdown'], tools.signal);
  const page = await markdownPage(decodeHtml(await readPage(place)), markdownStyle);
  tools.signal.throwIfAborted();
  const missing = new MissingResources(place.folder);
  const { html } = cleanPage(
    page.html.replace(
      checkBox,
      (_whole, checked?: string) => `<span class="task">${checked === undefined ? '\u2610' : '\u2611'}</span>`,
    ),
    missing.watch(filesBeside(place.page)),
  );
  if (missing.warning !== undefined) tools.warn?.(missing.warning);
  const heading = /<h1\b[^>]*>([\s\S]{1,2000}?)<\/h1>/.exec(html)?.[1];
  return printClean(html, page.title ?? (heading === undefined ? undefined : plainText(heading)), place, tools);
}
