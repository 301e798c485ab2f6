import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asDict, asName, entry, nameText, resolve } from '../file/objects/index.js';
import { decodedContent, pageAttribute, type PageEntry } from '../structure/pages/index.js';
import { ContentLexer } from './lexer.js';
import { nameAt } from './operands.js';
import { pageContent } from './page-content.js';

/**
 * Removes images and forms that content does not draw from the resources of pages and of the forms they draw, in place,
 * so that a rewritten file contains nothing that an edit removed. Resources of undecodable content stay, and those in
 * `beside` (`besideContent`). `pages` are all that share any.
 */
export function dropUnusedXObjects(
  context: PDFContext,
  pages: readonly PageEntry[],
  beside: ReadonlySet<PDFObject>,
): void {
  const drawn = new Map<PDFDict, Set<string> | undefined>();
  const forms = new Set<PDFRawStream>();
  const waiting: PDFRawStream[] = [];
  const note = (names: ReadonlySet<string> | undefined, value: PDFObject | undefined): void => {
    const resources = asDict(context, value);
    const xobjects = resources === undefined ? undefined : asDict(context, entry(resources, 'XObject'));
    if (xobjects === undefined) return;
    const known = drawn.get(xobjects);
    if (names === undefined) drawn.set(xobjects, undefined);
    else if (!drawn.has(xobjects)) drawn.set(xobjects, new Set(names));
    else for (const name of names) known?.add(name);
    for (const [name, object] of xobjects.entries()) {
      const stream = names === undefined || names.has(nameText(name)) ? resolve(context, object) : undefined;
      if (
        !(stream instanceof PDFRawStream) ||
        forms.has(stream) ||
        asName(context, entry(stream.dict, 'Subtype')) === 'Image'
      )
        continue;
      forms.add(stream);
      waiting.push(stream);
      // A form without resources uses those of the content that draws it (ISO 32000-1, 7.8.3).
      if (entry(stream.dict, 'Resources') === undefined) note(drawnIn(decodedContent(context, stream)), value);
    }
  };
  for (const page of pages) {
    const { bytes, complete } = pageContent(context, page);
    note(complete ? drawnIn(bytes) : undefined, pageAttribute(page, 'Resources'));
  }
  for (let form = waiting.pop(); form !== undefined; form = waiting.pop()) {
    if (entry(form.dict, 'Resources') !== undefined)
      note(drawnIn(decodedContent(context, form)), entry(form.dict, 'Resources'));
  }
  for (const [xobjects, names] of drawn) {
    if (names === undefined || beside.has(xobjects)) continue;
    for (const name of xobjects.keys()) if (!names.has(nameText(name))) xobjects.delete(name);
  }
}

function drawnIn(content: Uint8Array | undefined): Set<string> | undefined {
  if (content === undefined) return undefined;
  const names = new Set<string>();
  for (const { name, operands } of new ContentLexer(content)) {
    const drawn = name === 'Do' ? nameAt(operands, 0) : undefined;
    if (drawn !== undefined) names.add(drawn);
  }
  return names;
}
