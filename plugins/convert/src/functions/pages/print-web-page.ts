import { plainText, printClean, type PrintTools } from './print-page.js';
import { saveWebPage, type WebTools } from './save-web-page.js';

/** Prints a page of the web to a PDF and gives its path. Errors: those of `saveWebPage` and of `print`. */
export async function printWebPage(address: string, tools: PrintTools & WebTools): Promise<string> {
  const folder = `${tools.folder}/page`;
  const { html, title } = await saveWebPage(address, folder, tools);
  return printClean(html, title === undefined ? undefined : plainText(title), { folder, page: 'page' }, tools);
}

/** The name of the result: letters, digits and single underscores of the address, 50 at most (contract, url/pdf). */
export function nameOfAddress(address: string): string {
  const name = address
    .trim()
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, 50)
    .replace(/^_+|_+$/g, '');
  return name === '' ? 'document' : name;
}
