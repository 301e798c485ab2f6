import { DocumentError } from '@quire/document';
import type { FormModel } from '@quire/document/forms';
import { MAX_CELL_LETTERS, sheetText } from '@quire/document/layout/tables';
import type { CellObject } from 'write-excel-file/node';
import { guardAnswer } from './answer-size.js';
import { valueText } from './field-texts.js';
import { inPageOrder } from './list-fields.js';

/** Name and value of a field; undefined for no value. */
export type FieldRow = readonly [name: string, value: string | undefined];

const HEADER = ['Field Name', 'Value'] as const;
/** Rows of a sheet, and the widths of columns in letters (ECMA-376, and what programs take). */
const [MAX_ROWS, MIN_WIDTH, MAX_WIDTH] = [1_048_576, 10, 100];

/** Returns names and values in the order of `form/fields`. Throws INPUT_TOO_COMPLEX for too much text. */
export function fieldRows(form: FormModel | undefined): FieldRow[] {
  guardAnswer(form?.fields ?? []);
  return inPageOrder(form?.fields ?? []).map(({ field }) => [field.name, valueText(field)]);
}

/**
 * Writes rows as CSV behind a row of headings (docs/interface/form.yml, form/extract-csv): every value quoted, quotes
 * doubled, no value nothing at all, commas, lines ended by a line feed, no byte order mark. What begins like a formula
 * is not changed: it is what the form holds.
 */
export function rowsCsv(rows: readonly FieldRow[]): string {
  return [HEADER, ...rows]
    .map((row) => `${row.map((value) => (value === undefined ? '' : `"${value.replaceAll('"', '""')}"`)).join(',')}\n`)
    .join('');
}

/**
 * Writes rows as a workbook of one sheet, `Form Fields`, behind a row of headings: texts only, columns as wide as what
 * is in them, within bounds. Gives how many texts were cut, since a cell holds 32767 letters. Errors: INPUT_TOO_COMPLEX
 * for more rows than a sheet has.
 */
export async function writeRows(rows: readonly FieldRow[], target: string): Promise<number> {
  if (rows.length + 1 > MAX_ROWS)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'rows of a sheet', limit: MAX_ROWS });
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const cell = (value: string, heading: boolean): CellObject => ({
    type: String,
    value: sheetText(value),
    ...(value.includes('\n') ? { wrap: true } : {}),
    alignVertical: 'top',
    ...(heading ? { fontWeight: 'bold' } : {}),
  });
  const texts: (readonly string[])[] = [HEADER, ...rows.map(([name, value = '']) => [name, value])];
  const columns = HEADER.map((_, column) => ({
    width: Math.min(
      MAX_WIDTH,
      Math.max(MIN_WIDTH, texts.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0) + 2),
    ),
  }));
  await writeExcelFile(
    texts.map((row, i) => row.map((text) => cell(text, i === 0))),
    { sheet: 'Form Fields', columns },
  ).toFile(target);
  return texts.flat().filter((text) => text.length > MAX_CELL_LETTERS).length;
}

/** The letters of the longest line; those of East Asian scripts and emoji are as wide as two. */
function widthOf(text: string): number {
  return Math.max(
    ...text
      .slice(0, 2000)
      .split(/\r\n|[\r\n]/)
      .map(
        (line) =>
          line.length +
          (line.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g)
            ?.length ?? 0),
      ),
  );
}
