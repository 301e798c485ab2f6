import type { Link, Run } from '@quire/document/layout';
import { safeLink } from '../safe-link.js';
import { escapeXml, xmlCharacters } from '@quire/document/file/xml';

export interface TextHtml {
  /** Size in points of most of the text. */
  readonly bodySize: number;
  /** False for e-books: colours and sizes are left to the reader, and notes bear the marks of EPUB. */
  readonly looks: boolean;
  /** Address of a page (1-based) of the document; undefined for one that is not there. */
  pageLink(page: number): string | undefined;
  /** Address of a footnote, and id of its mark; undefined for one that is not there. */
  noteLink(id: string): { readonly href: string; readonly markId: string } | undefined;
}

/** Text that differs this much in size is shown so. */
const SIZE_DIFFERENCE = 0.15;

/** Runs as HTML that is XML too. `plain`: within headings, whose own look is that of headings. */
export function textHtml(runs: readonly Run[], context: TextHtml, plain = false): string {
  let html = '';
  for (let i = 0; i < runs.length;) {
    const { link } = runs[i]!;
    let end = i + 1;
    while (end < runs.length && sameLink(runs[end]!.link, link)) end++;
    const text = runs
      .slice(i, end)
      .map((run) => runHtml(run, context, plain))
      .join('');
    const href = link === undefined ? undefined : 'page' in link ? context.pageLink(link.page) : safeLink(link.uri);
    html += href === undefined ? text : `<a href="${xmlText(href)}">${text}</a>`;
    i = end;
  }
  return html;
}

function runHtml(run: Run, context: TextHtml, plain: boolean): string {
  const note = run.footnote === undefined ? undefined : context.noteLink(run.footnote);
  if (note !== undefined)
    return (
      `<sup><a${context.looks ? '' : ' epub:type="noteref"'} role="doc-noteref" id="${note.markId}" ` +
      `href="${xmlText(note.href)}">${xmlText(run.text)}</a></sup>`
    );
  let html = xmlText(run.text).replaceAll('\n', '<br/>\n');
  if (run.monospace) html = `<code>${html}</code>`;
  if (run.italic) html = `<em>${html}</em>`;
  if (run.bold && !plain) html = `<strong>${html}</strong>`;
  if (run.underline && run.link === undefined) html = `<u>${html}</u>`;
  if (run.strike) html = `<s>${html}</s>`;
  if (run.position !== 'normal') html = run.position === 'superscript' ? `<sup>${html}</sup>` : `<sub>${html}</sub>`;
  const style = context.looks ? styleOf(run, context.bodySize, plain) : '';
  return style === '' ? html : `<span style="${style}">${html}</span>`;
}

function styleOf({ colour, size, position, link }: Run, bodySize: number, plain: boolean): string {
  const shown = link === undefined && colour !== '#000000' ? [`color:${xmlText(colour)}`] : [];
  const ratio = size / bodySize;
  if (!plain && position === 'normal' && bodySize > 0 && Math.abs(ratio - 1) > SIZE_DIFFERENCE)
    shown.push(`font-size:${ratio.toFixed(2)}em`);
  return shown.join(';');
}

function sameLink(a: Link | undefined, b: Link | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return 'page' in a ? 'page' in b && a.page === b.page : 'uri' in b && a.uri === b.uri;
}

/** Escapes text for XML 1.0 and removes characters that XML cannot hold. */
export function xmlText(text: string): string {
  return escapeXml(xmlCharacters(text));
}
