import { escapeXml } from '@quire/document/file/xml';
import type { Cells } from './table-cells.js';

/** Rows of one sheet of LibreOffice Calc. */
const MOST_ROWS = 1_048_576;
const A4_CM = { short: 21, long: 29.7 };
const MARGIN_CM = 2;
const WIDEST_COLUMN_CM = 9;
const NARROWEST_COLUMN_CM = 1;
const PADDING_CM = 0.4;
/** A wider table is not made smaller, which nobody could read, but continues on further pages. */
const LEAST_SCALE = 0.5;
/** Longer cells are no numbers, and the pattern below would take long for them. */
const LONGEST_NUMBER = 60;
/** Numbers as people write them in any country; they stay text, and are only aligned. */
const number = /^\s*[-+\u2212(]?(?:\p{Sc}\s?)?[-+\u2212]?\.?\d[\d.,'\u2019\s]*(?:[eE][-+]?\d+)?\s?[%\p{Sc}]?\)?\s*$/u;
// XML 1.0 (2.2) has no place for the others.
// oxlint-disable-next-line no-control-regex
const notInXml =
  /[\x00-\x08\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const namespaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" ' +
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ' +
  'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ' +
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"';

/**
 * A flat OpenDocument spreadsheet in which every cell is text, exactly as written. Columns are as wide as their text,
 * long text is wrapped, and a table that is wider than a page is printed on lying, smaller pages.
 */
export function sheetOf(rows: Cells, name: string): string {
  const widths = columnWidths(rows);
  const sheets = Array.from({ length: Math.max(1, Math.ceil(rows.length / MOST_ROWS)) }, (_, index) =>
    rows.slice(index * MOST_ROWS, (index + 1) * MOST_ROWS),
  );
  const columns = widths.map((_, index) => `<table:table-column table:style-name="w${index}"/>`).join('');
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} office:version="1.3" `,
    'office:mimetype="application/vnd.oasis.opendocument.spreadsheet">',
    '<office:styles><style:style style:name="Default" style:family="table-cell"/></office:styles>',
    `<office:automatic-styles>${styles(widths)}</office:automatic-styles>`,
    '<office:master-styles><style:master-page style:name="Default" style:page-layout-name="page"/>',
    '</office:master-styles><office:body><office:spreadsheet>',
    ...sheets.flatMap((some, index) => [
      `<table:table table:name="${escapeXml(index === 0 ? name : `${name} ${index + 1}`)}" table:style-name="sheet">`,
      columns,
      ...some.map((row) => `<table:table-row table:style-name="row">${row.map(cellOf).join('')}</table:table-row>`),
      '</table:table>',
    ]),
    '</office:spreadsheet></office:body></office:document>',
  ].join('');
}

function styles(widths: readonly number[]): string {
  const total = widths.reduce((sum, width) => sum + width, 0);
  const printable = (side: number): number => side - 2 * MARGIN_CM;
  const lies = total > printable(A4_CM.short);
  const scale = printable(A4_CM.long) / total;
  const [width, height] = lies ? [A4_CM.long, A4_CM.short] : [A4_CM.short, A4_CM.long];
  const fit = lies && scale < 1 && scale >= LEAST_SCALE ? ' style:scale-to-X="1" style:scale-to-Y="0"' : '';
  return (
    widths
      .map(
        (one, index) =>
          `<style:style style:name="w${index}" style:family="table-column">` +
          `<style:table-column-properties style:column-width="${one.toFixed(2)}cm"/></style:style>`,
      )
      .join('') +
    '<style:style style:name="row" style:family="table-row">' +
    '<style:table-row-properties style:use-optimal-row-height="true"/></style:style>' +
    '<style:style style:name="sheet" style:family="table" style:master-page-name="Default"/>' +
    cellStyle('t', 'start') +
    cellStyle('n', 'end') +
    `<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${width}cm" ` +
    `fo:page-height="${height}cm" style:print-orientation="${lies ? 'landscape' : 'portrait'}" ` +
    `fo:margin="${MARGIN_CM}cm"${fit}/></style:page-layout>`
  );
}

const cellStyle = (name: string, align: string): string =>
  `<style:style style:name="${name}" style:family="table-cell" style:parent-style-name="Default">` +
  '<style:table-cell-properties fo:wrap-option="wrap" style:vertical-align="top" ' +
  'style:text-align-source="fix" fo:padding="0.03cm" fo:padding-left="0.1cm" fo:padding-right="0.1cm"/>' +
  `<style:paragraph-properties fo:text-align="${align}"/></style:style>`;

const isNumber = (cell: string): boolean => cell.length <= LONGEST_NUMBER && number.test(cell);

function cellOf(cell: string): string {
  if (cell === '') return '<table:table-cell/>';
  const paragraphs = cell
    .split(/\r\n?|\n/)
    .map((line) => `<text:p>${lineOf(line)}</text:p>`)
    .join('');
  return (
    `<table:table-cell table:style-name="${isNumber(cell) ? 'n' : 't'}" office:value-type="string">` +
    `${paragraphs}</table:table-cell>`
  );
}

/** OpenDocument 1.3, part 3, 6.1.2: spaces in a row, and those at both ends, need an element. */
const lineOf = (line: string): string =>
  escapeXml(line.replace(/[\v\f]/g, ' ').replace(notInXml, '\ufffd'))
    .replace(/^ +| +$| {2,}/g, (spaces) => `<text:s text:c="${spaces.length}"/>`)
    .replaceAll('\t', '<text:tab/>');

function columnWidths(rows: Cells): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) {
      const least = widths[index] ?? NARROWEST_COLUMN_CM;
      widths[index] = least >= WIDEST_COLUMN_CM ? least : Math.max(least, widthOf(cell));
    }
  return widths.length === 0 ? [NARROWEST_COLUMN_CM] : widths;
}

/** A little more than the text takes in 10 point DejaVu Sans, the widest of the usual fonts. */
function widthOf(cell: string): number {
  let [widest, width] = [0, 0];
  for (const sign of cell.slice(0, 1000)) {
    if (sign === '\n') width = 0;
    else if (/[ijlI.,:;'|!()[\]f\s]/.test(sign)) width += 0.145;
    else if (/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3ffff}]/u.test(sign)) width += 0.36;
    else if (/[mwMW@%]/.test(sign)) width += 0.35;
    else if (/\p{Lu}/u.test(sign)) width += 0.275;
    else width += 0.23;
    widest = Math.max(widest, width);
  }
  return Math.min(WIDEST_COLUMN_CM, widest + PADDING_CM);
}
