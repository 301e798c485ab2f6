import { catalogOf, entry, setEntry } from '../../file/objects/index.js';
import { withPdf, writePdf } from '../../file/open/index.js';

/**
 * Returns the path of a document that converters draw correctly: the given one, or, for a portfolio, whose files they
 * would draw instead of its pages, a copy at `copy` that is not a portfolio (ISO 32000-1, 12.3.5). Throws the errors of
 * `withPdf`.
 */
export async function prepareForPdfA(path: string, copy: string): Promise<string> {
  return withPdf({ path }, {}, (opened) => {
    const catalog = catalogOf(opened.document.context);
    if (catalog === undefined || entry(catalog, 'Collection') === undefined) return path;
    setEntry(catalog, 'Collection', undefined);
    writePdf(opened, copy, { mode: 'rewrite', stamp: false });
    return copy;
  });
}
