import { InputError } from '@quire/registry/errors';
import {
  type Cell,
  type DocumentModel,
  type DocumentSection,
  lookOf,
  type SectionLook,
  type Signatory,
} from './document-model.js';
import { documentStyle } from './document-style.js';
import { escapeXml, xmlCharacters } from '@quire/document/file/xml';

/** Tables with more columns get landscape paper. */
const UPRIGHT_COLUMNS = 8;
/**
 * Cells that a document may have in all: rows are as wide as the widest of their table, so few letters can ask for very
 * many.
 */
const MOST_CELLS = 500_000;
/** Letters of a cell that is an amount. */
const AMOUNT = 60;
/** Letters of a cell that stays on one line, and of a word that is cut where it does not fit. */
const SHORT = 14;
const LONG_WORD = 24;

/**
 * The HTML page of a document: every value of it is escaped, so that nothing of it is markup, a style or an address.
 * Throws INPUT_TOO_COMPLEX for tables without end.
 */
export function documentPage(model: DocumentModel): string {
  const { title, subtitle, referenceNumber } = model;
  const sections = model.sections ?? [];
  if (sections.reduce((sum, section) => sum + widthOf(section) * ((section.rows?.length ?? 0) + 2), 0) > MOST_CELLS)
    throw new InputError('INPUT_TOO_COMPLEX', { resource: 'table cells', limit: MOST_CELLS });
  const wide = sections.some((section) => widthOf(section) > UPRIGHT_COLUMNS);
  const head = [
    ...(given(referenceNumber) ? [`<p class="reference" dir="auto">${escaped(referenceNumber)}</p>`] : []),
    ...(given(title) ? [`<h1 dir="auto">${escaped(title)}</h1>`] : []),
    ...(given(subtitle) ? [`<p class="subtitle" dir="auto">${escaped(subtitle)}</p>`] : []),
  ];
  const body = [...(head.length === 0 ? [] : [`<header>${head.join('')}</header>`]), ...sections.map(sectionHtml)];
  return (
    `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title ?? '')}</title><style>` +
    `${documentStyle(model.style ?? {}, wide)}</style></head><body>${body.join('\n')}</body></html>`
  );
}

function sectionHtml(section: DocumentSection): string {
  const look = lookOf(section.type);
  const parts = [
    ...(given(section.heading) ? [`<h2 dir="auto">${escaped(section.heading)}</h2>`] : []),
    ...(given(section.body) ? [bodyHtml(section.body, look)] : []),
    ...(hasSome(section.pairs) ? [pairsHtml(section.pairs)] : []),
    ...(hasSome(section.columns) || hasSome(section.rows) || hasSome(section.totalRow) ? [tableHtml(section)] : []),
    ...(hasSome(section.items) ? [listHtml(section.items, look)] : []),
    ...(hasSome(section.signatories) ? [signaturesHtml(section.signatories)] : []),
  ];
  const before = look === 'divider' ? '<hr>' : '';
  if (parts.length === 0 && look !== 'pageBreak') return before;
  return `${before}<section class="${look}">${parts.join('\n')}</section>`;
}

/** Empty lines part paragraphs; other line ends stay. */
function bodyHtml(body: string, look: SectionLook): string {
  const paragraphs = body
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const html = paragraphs.map((text) => `<p dir="auto">${text.split('\n').map(escaped).join('<br>')}</p>`).join('\n');
  if (look === 'quote') return `<blockquote>${html}</blockquote>`;
  return look === 'columns' ? `<div class="text-columns">${html}</div>` : html;
}

function pairsHtml(pairs: readonly (readonly Cell[])[]): string {
  const rows = pairs.map(
    ([key = '', ...values]) =>
      `<tr><th scope="row" dir="auto">${cellHtml(key)}</th><td dir="auto">${values.map(cellHtml).join(' ')}</td></tr>`,
  );
  return `<table class="pairs"><tbody>${rows.join('\n')}</tbody></table>`;
}

/** Columns of a section's table. */
function widthOf({ columns, rows, totalRow }: DocumentSection): number {
  return (rows ?? []).reduce(
    (most, row) => Math.max(most, row.length),
    Math.max(columns?.length ?? 0, totalRow?.length ?? 0),
  );
}

/** Rows may be shorter than the head or longer; the table is as wide as its widest. */
function tableHtml(section: DocumentSection): string {
  const { columns, rows, totalRow } = section;
  const [head, body, total] = [columns ?? [], rows ?? [], totalRow ?? []];
  const width = widthOf(section);
  if (width === 0) return '';
  const classes = Array.from({ length: width }, (_, i) =>
    classOf([...body.map((row) => row[i]), head[i], total[i]], isNumeric(body, i), width),
  );
  const rowHtml = (cells: readonly Cell[], tag: 'th' | 'td', scope = ''): string => {
    const html = classes.map((name, i) => {
      const direction = name.includes('number') ? '' : ' dir="auto"';
      return `<${tag}${scope}${name}${direction}>${cellHtml(cells[i] ?? '')}</${tag}>`;
    });
    return `<tr>${html.join('')}</tr>`;
  };
  const direction = isFromRight([...head, ...(body[0] ?? [])].join(' ')) ? ' dir="rtl"' : '';
  const size = width > 12 ? ' narrower' : width > 6 ? ' narrow' : '';
  return [
    `<table class="rows${size}"${direction}>`,
    ...(head.length === 0 ? [] : [`<thead>${rowHtml(head, 'th', ' scope="col"')}</thead>`]),
    ...(body.length === 0 ? [] : [`<tbody>${body.map((row) => rowHtml(row, 'td')).join('\n')}</tbody>`]),
    // A body of its own and no foot: a foot would be printed on every page.
    ...(total.length === 0 ? [] : [`<tbody class="total">${rowHtml(total, 'td')}</tbody>`]),
    '</table>',
  ].join('\n');
}

/** Short cells stay on one line, long words are cut rather than to make the table wider than the page. */
function classOf(cells: readonly (Cell | undefined)[], numeric: boolean, width: number): string {
  const texts = cells.map((cell) => String(cell ?? '').trim());
  const names = [
    ...(numeric ? ['number'] : []),
    ...(width <= UPRIGHT_COLUMNS && texts.every((text) => text.length <= SHORT) ? ['short'] : []),
    ...(texts.some((text) => text.split(/[\s-]/).some((word) => word.length > LONG_WORD)) ? ['cut'] : []),
  ];
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
}

/** True for text whose first letter that has a direction is written from the right (Unicode Standard Annex 9, P2). */
function isFromRight(text: string): boolean {
  return /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);
}

/** True for a column of which most filled cells are amounts. */
function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  const filled = rows.map((row) => row[column]).filter((cell) => given(cell));
  const amounts = filled.filter(
    (cell) =>
      typeof cell === 'number' ||
      (String(cell).trim().length <= AMOUNT &&
        /^[\s(+\-−–]*(?:[A-Z]{2,3}|\p{Sc})?\s*[(+\-−–]?\s*\d[\d\s.,'’\u00a0\u202f]*\)?\s*(?:%|[A-Z]{2,3}|\p{Sc})?\s*\)?$/u.test(
          String(cell).trim(),
        )),
  );
  return filled.length > 0 && amounts.length > filled.length * 0.6;
}

function listHtml(items: readonly Cell[], look: SectionLook): string {
  const tag = look === 'numbered' ? 'ol' : 'ul';
  const box = look === 'checklist' ? '<span class="box">\u2610</span> ' : '';
  return `<${tag}>${items.map((item) => `<li dir="auto">${box}${cellHtml(item)}</li>`).join('\n')}</${tag}>`;
}

function signaturesHtml(signatories: readonly (string | Signatory)[]): string {
  const blocks = signatories.map((signatory) => {
    const { name, title, organisation, date }: Signatory =
      typeof signatory === 'string' ? { name: signatory } : signatory;
    const lines = [
      ...(given(name) ? [`<strong>${escaped(name)}</strong>`] : []),
      ...[title, organisation, date].filter(given).map(escaped),
    ];
    return `<div class="signatory"><div class="sign-here"></div><p dir="auto">${lines.join('<br>')}</p></div>`;
  });
  return `<div class="signatories">${blocks.join('\n')}</div>`;
}

function cellHtml(cell: Cell): string {
  return cell === null
    ? ''
    : String(cell)
        .trim()
        .split(/\r\n?|\n/)
        .map(escaped)
        .join('<br>');
}

function given<T extends Cell>(value: T | null | undefined): value is T & NonNullable<T> {
  return value !== undefined && value !== null && String(value).trim() !== '';
}

function hasSome<T>(list: readonly T[] | null | undefined): list is readonly T[] {
  return (list?.length ?? 0) > 0;
}

/** Escapes a value for HTML and removes control characters, which HTML cannot hold. */
function escaped(value: string | number | boolean): string {
  return escapeXml(xmlCharacters(String(value)).replaceAll('\u007f', ''));
}
