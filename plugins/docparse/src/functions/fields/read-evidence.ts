import { type Box, lineOf, lineText, type PageContent, type Piece, piecesOf, withPages } from '@quire/document/layout';
import { withPdf } from '@quire/document/file/open';
import { asText, entry } from '@quire/document/file/objects';
import { allFieldNodes, isField, readFields } from '@quire/document/forms/fields';
import { fieldValues } from '@quire/document/structure/report';
import { breathe } from '@quire/document/engines/rendering';
import { findAlignedTables, findRuledTables, linesText } from '@quire/document/layout/tables';
import { plainName } from './field-names.js';

/** Text that stands together, with its place on the page as shown (points, upper left corner, y downwards). */
export interface Snippet {
  /** 1-based. */
  readonly page: number;
  readonly text: string;
  readonly box: Box | undefined;
}

/** A value with what it is called. */
export interface Pair {
  readonly label: string;
  /** `plainName` of it. */
  readonly plain: string;
  readonly value: Snippet;
  readonly source: 'form' | 'label' | 'table';
  /** How surely the label belongs to the value, 0 to 1. */
  readonly weight: number;
  /** Values below a head of a table: one for each row. */
  readonly column?: readonly string[];
}

/** Field names and values that a document contains itself. */
export interface Evidence {
  readonly pages: number;
  readonly pairs: readonly Pair[];
  /** Text that stands together on a line, in reading order. */
  readonly snippets: readonly Snippet[];
  /** The text of each page, line by line. */
  readonly texts: readonly string[];
  /** True where more was there than is looked at. */
  readonly truncated: boolean;
}

/** Further pages are not read. */
const MAX_PAGES = 500;
const MAX_SNIPPETS = 100_000;
const MAX_PAIRS = 50_000;
const MAX_LABEL = 60;
const MAX_WORDS = 6;
const MAX_FORM_FIELDS = 5000;
/** Greatest distance of a value below its label, in heights of the label. */
const BELOW = 2.6;
const NEIGHBOURS = 60;

/**
 * Collects possible names and values of fields from a PDF: form fields, labels with the text beside or below them,
 * tables. Throws the codes of opening and the signal's reason.
 */
export async function readEvidence(
  path: string,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<Evidence> {
  const pairs: Pair[] = [];
  const snippets: Snippet[] = [];
  const texts: string[] = [];
  const { pages, truncated } = await withPages({ path }, async ({ reader, pageCount }) => {
    const looked = Math.min(pageCount, MAX_PAGES);
    for (let index = 0; index < looked && snippets.length < MAX_SNIPPETS && pairs.length < MAX_PAIRS; index++) {
      await breathe(signal);
      const page = pageEvidence(reader.read(index));
      for (const snippet of page.snippets) snippets.push(snippet);
      for (const pair of page.pairs) pairs.push(pair);
      texts.push(...page.texts);
      progress(index + 1, looked);
    }
    return { pages: pageCount, truncated: texts.length < pageCount };
  });
  return { pages, pairs: [...(await formPairs(path, snippets)), ...pairs], snippets, texts, truncated };
}

/** Collects them from a single page, without the form. */
export function pageEvidence(content: PageContent): Evidence {
  const pieces = piecesOnLines(content);
  return {
    pages: 1,
    pairs: [...labelPairs(content.number, pieces), ...tablePairs(content)],
    snippets: pieces.map(({ text, box }) => ({ page: content.number, text, box })),
    texts: [textOfLines(pieces)],
    truncated: false,
  };
}

interface Placed {
  readonly text: string;
  readonly box: Box;
  readonly baseline: number;
  readonly size: number;
}

/** Upright text from the upper edge down, line by line. */
function piecesOnLines({ words }: PageContent): Placed[] {
  const order = new Map(words.map((word, i) => [word, i]));
  const pieces = piecesOf(words.filter(({ angle }) => angle === 0))
    .map(({ words: own, box, baseline, size }: Piece) => ({
      text: lineText(lineOf(own, order)).trim(),
      box,
      baseline,
      size,
    }))
    .filter(({ text }) => text !== '');
  pieces.sort((a, b) => a.baseline - b.baseline || a.box.left - b.box.left);
  // Base lines that differ by less than a third of a size are one line.
  const lines: Placed[][] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (
      line !== undefined &&
      Math.abs(line[0]!.baseline - piece.baseline) <= 0.35 * Math.min(line[0]!.size, piece.size)
    )
      line.push(piece);
    else lines.push([piece]);
  }
  return lines.flatMap((line) =>
    line.sort((a, b) => a.box.left - b.box.left).map((piece) => ({ ...piece, baseline: line[0]!.baseline })),
  );
}

function textOfLines(pieces: readonly Placed[]): string {
  let text = '';
  for (const [i, piece] of pieces.entries())
    text += (i === 0 ? '' : piece.baseline === pieces[i - 1]!.baseline ? ' ' : '\n') + piece.text;
  return text;
}

const isLabel = (text: string): boolean =>
  text.length <= MAX_LABEL &&
  text.split(' ').length <= MAX_WORDS &&
  /\p{L}{2}|n°|nº/iu.test(text) &&
  !/[.!?]\s/.test(text);

/** Text after a colon, beside a label, or below one. */
function labelPairs(page: number, pieces: readonly Placed[]): Pair[] {
  const pairs: Pair[] = [];
  const add = (label: string, text: string, box: Box, weight: number): void => {
    const plain = plainName(label);
    if (plain !== '' && text !== '')
      pairs.push({ label: label.replace(/\s*[:：]$/, ''), plain, value: { page, text, box }, source: 'label', weight });
  };
  for (const [i, { text, box, baseline, size }] of pieces.entries()) {
    const colon = /^(.{1,60}?)\s*[:：]\s+(.+)$/u.exec(text) ?? /^(\p{L}[^:]{0,59}?)\s*[:：](?!\/\/)(.+)$/u.exec(text);
    if (colon !== null && isLabel(colon[1]!) && !/\d$/.test(colon[1]!)) {
      add(colon[1]!, colon[2]!, box, 1);
      continue;
    }
    const ends = /[:：]$/.test(text);
    if (!isLabel(text)) continue;
    const right = pieces[i + 1];
    const beside = right !== undefined && right.baseline === baseline ? right : undefined;
    // In a row of several texts without figures each names a column.
    const isHead =
      beside !== undefined &&
      !ends &&
      !/\d/.test(beside.text) &&
      [pieces[i - 1], pieces[i + 2]].some((other) => other?.baseline === baseline);
    if (beside !== undefined && !isHead) add(text, beside.text, beside.box, ends ? 0.98 : 0.7);
    if (ends && beside !== undefined) continue;
    for (let j = i + 1; j < Math.min(pieces.length, i + NEIGHBOURS); j++) {
      const below = pieces[j]!;
      if (below.baseline - baseline > BELOW * size) break;
      if (below.baseline <= baseline || below.box.left > box.right || below.box.right < box.left) continue;
      if (Math.abs(below.box.left - box.left) < 3 * size || Math.abs(below.box.right - box.right) < 2 * size)
        add(text, below.text, below.box, ends ? 0.85 : 0.55);
      break;
    }
  }
  return pairs;
}

/** Heads of columns with what is below, and first cells of rows with what is beside. */
function tablePairs(content: PageContent): Pair[] {
  const ruled = findRuledTables(content);
  const tables = ruled.length > 0 ? ruled : findAlignedTables(content.words);
  return tables.flatMap(({ cells, rows, columns }): Pair[] => {
    const at = new Map(
      cells.map((cell) => [
        `${cell.row}:${cell.column}`,
        {
          text: linesText(cell.lines)
            .replace(/\s*\n\s*/g, ' ')
            .trim(),
          box: cell.box,
        },
      ]),
    );
    const pairs: Pair[] = [];
    const get = (row: number, column: number) => at.get(`${row}:${column}`) ?? { text: '', box: undefined };
    const page = content.number;
    if (columns === 2) {
      for (let row = 0; row < rows; row++) {
        const [label, value] = [get(row, 0), get(row, 1)];
        if (isLabel(label.text) && value.text !== '')
          pairs.push({
            label: label.text.replace(/\s*[:：]$/, ''),
            plain: plainName(label.text),
            value: { page, text: value.text, box: value.box },
            source: 'table',
            weight: 0.9,
          });
      }
    }
    for (let column = 0; rows > 1 && column < columns; column++) {
      const head = get(0, column).text;
      const below = Array.from({ length: rows - 1 }, (_unused, row) => get(row + 1, column)).filter(
        ({ text }) => text !== '',
      );
      const [first] = below;
      if (first !== undefined && isLabel(head))
        pairs.push({
          label: head,
          plain: plainName(head),
          value: { page, text: first.text, box: first.box },
          source: 'table',
          weight: rows === 2 ? 0.85 : 0.6,
          column: below.map(({ text }) => text),
        });
    }
    return pairs;
  });
}

/** The fields of a form that have values; their places are where their values are shown. */
async function formPairs(path: string, snippets: readonly Snippet[]): Promise<Pair[]> {
  return withPdf({ path }, { repair: false }, ({ document: { context } }) => {
    const names = [...allFieldNodes(readFields(context))]
      .filter((node) => isField(node) && !node.children.some(isField))
      .slice(0, MAX_FORM_FIELDS)
      .map(({ dict }) => asText(context, entry(dict, 'TU')));
    const shown = new Map<string, Snippet>();
    for (const snippet of snippets) if (!shown.has(snippet.text)) shown.set(snippet.text, snippet);
    const pairs: Pair[] = [];
    let i = 0;
    for (const [name, value] of fieldValues(context)) {
      if (i >= MAX_FORM_FIELDS) break;
      const spoken = names[i++];
      if (value.trim() === '') continue;
      const place = shown.get(value.trim());
      const at = { page: place?.page ?? 1, text: value, box: place?.box };
      for (const label of new Set([spoken ?? '', name, name.slice(name.lastIndexOf('.') + 1)])) {
        const plain = plainName(label.replace(/\[\d+\]/g, ''));
        if (plain !== '') pairs.push({ label, plain, value: at, source: 'form', weight: 1 });
      }
    }
    return pairs;
  });
}
