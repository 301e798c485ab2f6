import type { Block, CellText, Composition, Facts, Heading, Paragraph, Table, Tone } from '../model.js';
import { addNode, type Node } from './nodes.js';
import { besides, type Line, type Rule, type Strip } from './strips.js';
import type { Face, Typesetter } from './typesetter.js';

const BODY = 9;
const LINE = 12.3;
const faces: Readonly<Record<Tone | 'title' | 'heading' | 'small', Face>> = {
  plain: { size: BODY, weight: 400, grey: 0.08 },
  strong: { size: BODY, weight: 700, grey: 0.08 },
  muted: { size: 8.2, weight: 400, grey: 0.33 },
  title: { size: 17, weight: 700, grey: 0.05 },
  heading: { size: 11, weight: 700, grey: 0.05 },
  small: { size: 9.5, weight: 700, grey: 0.08 },
};
/** Between columns beside each other, and between cells. */
const GAP = 22;
const CELL_GAP = 8;
const INDENT = 7;
/** Between the rule of a heading and what follows. */
const SPACER = 4;
const MAX_DEPTH = 8;
/** Tables of so few rows are not broken over pages where they fit on one. */
const MAX_KEPT_ROWS = 10;
/** Share of a fact's width that its label has. */
const LABEL_SHARE = 0.4;

interface Place {
  readonly x: number;
  readonly width: number;
}

/** Sets the blocks of a composition as strips, in order, and adds their elements to `root`. */
export async function layOut(
  { title, subtitle, blocks }: Composition,
  root: Node,
  setter: Typesetter,
  width: number,
  signal?: AbortSignal,
): Promise<Strip[]> {
  const page: Place = { x: 0, width };
  const head = await linesOf(title, faces.title, page, addNode(root, 'H1'), setter, 22);
  const strips: Strip[] = [{ lines: head, before: 0, keepWithNext: true }];
  if (subtitle !== undefined)
    strips.push({ lines: await linesOf(subtitle, faces.muted, page, addNode(root, 'P'), setter), before: 3 });
  for (const block of blocks) {
    signal?.throwIfAborted();
    for (const strip of await stripsOf(block, page, root, setter)) strips.push(strip);
  }
  return strips;
}

async function stripsOf(block: Block, place: Place, parent: Node, setter: Typesetter): Promise<Strip[]> {
  switch (block.kind) {
    case 'heading':
      return [{ ...(await headingOf(block, place, parent, setter)), keepWithNext: true }];
    case 'paragraph':
      return [{ lines: await paragraphOf(block, place, parent, setter), before: 2 }];
    case 'facts':
      return (await factsOf(block, place, parent, setter)).map((lines, i) => ({ lines, before: i === 0 ? 3 : 0 }));
    case 'columns': {
      const share = (place.width - GAP * (block.columns.length - 1)) / block.columns.length;
      const columns: Line[][] = [];
      for (const [i, column] of block.columns.entries())
        columns.push(await columnOf(column, { x: place.x + i * (share + GAP), width: share }, parent, setter));
      return [{ lines: besides(columns), before: columns.some(([first]) => (first?.height ?? 0) > LINE) ? 12 : 3 }];
    }
    case 'table':
      return tableOf(block, place, parent, setter);
  }
}

/** A text in lines at one place, all of one element. */
async function linesOf(
  text: string,
  face: Face,
  { x, width }: Place,
  node: Node,
  setter: Typesetter,
  height = LINE,
  align: 'start' | 'end' = 'start',
): Promise<Line[]> {
  return (await setter.wrap(text, face, width)).map((line): Line => {
    const isAtRight = line.fromRight || align === 'end';
    return { height, pieces: [{ x: isAtRight ? x + Math.max(0, width - line.width) : x, line, face, node }] };
  });
}

async function headingOf({ level, text }: Heading, place: Place, parent: Node, setter: Typesetter): Promise<Strip> {
  const node = addNode(parent, level === 2 ? 'H2' : 'H3');
  if (level === 3) return { lines: await linesOf(text, faces.small, place, node, setter), before: 6 };
  const lines = await linesOf(text, faces.heading, place, node, setter, 17);
  const rule: Rule = { ...place, thickness: 0.7, grey: 0.75, rise: -1.2 };
  return { lines: [...ruled(lines, rule), { height: SPACER, pieces: [] }], before: 14 };
}

function paragraphOf(
  { text, tone = 'plain' }: Paragraph,
  place: Place,
  parent: Node,
  setter: Typesetter,
): Promise<Line[]> {
  return linesOf(text, faces[tone], place, addNode(parent, 'P'), setter);
}

async function factsOf({ facts }: Facts, place: Place, parent: Node, setter: Typesetter): Promise<Line[][]> {
  const list = addNode(parent, 'L');
  // On the whole width a label needs no more room than in a column.
  const labelWidth = Math.min(place.width * LABEL_SHARE, 150);
  const strips: Line[][] = [];
  for (const { label, value } of facts) {
    const item = addNode(list, 'LI');
    const at = { x: place.x, width: labelWidth - CELL_GAP };
    const labels = await linesOf(label, faces.muted, at, addNode(item, 'Lbl'), setter);
    const rest = { x: place.x + labelWidth, width: place.width - labelWidth };
    strips.push(besides([labels, await linesOf(value, faces.plain, rest, addNode(item, 'LBody'), setter)]));
  }
  return strips;
}

/** Blocks below each other as lines, to be put beside others. */
async function columnOf(
  blocks: readonly (Heading | Paragraph | Facts)[],
  place: Place,
  parent: Node,
  setter: Typesetter,
): Promise<Line[]> {
  const section = addNode(parent, 'Sect');
  const lines: Line[] = [];
  for (const block of blocks) {
    if (block.kind === 'facts') append(lines, (await factsOf(block, place, section, setter)).flat());
    else if (block.kind === 'heading') append(lines, (await headingOf(block, place, section, setter)).lines);
    else append(lines, await paragraphOf(block, place, section, setter));
  }
  return lines;
}

async function tableOf(table: Table, place: Place, parent: Node, setter: Typesetter): Promise<Strip[]> {
  const node = addNode(parent, 'Table', { summary: table.caption });
  const places = placesOf(table, place);
  const headRow = addNode(addNode(node, 'THead'), 'TR');
  const titles: Line[][] = [];
  for (const [i, { title, align }] of table.columns.entries()) {
    const cell = addNode(headRow, 'TH', { scope: 'Column' });
    titles.push(await linesOf(title, faces.strong, places[i] ?? place, addNode(cell, 'P'), setter, LINE, align));
  }
  const header = ruled(besides(titles), { ...place, thickness: 1, grey: 0.1 });
  const body = addNode(node, 'TBody');
  const strips: Strip[] = [{ lines: header, before: 4, keepWithNext: true }];
  for (const [index, { cells, tone, depth = 0 }] of table.rows.entries()) {
    const row = addNode(body, 'TR');
    const columns: Line[][] = [];
    for (const [i, { align }] of table.columns.entries()) {
      const isHeader = i === table.rowHeader;
      const cell = addNode(row, isHeader ? 'TH' : 'TD', isHeader ? { scope: 'Row' } : {});
      const indent = i === 0 ? Math.min(depth, MAX_DEPTH) * INDENT : 0;
      const at = places[i] ?? place;
      const inner = { x: at.x + indent, width: Math.max(at.width - indent, 12) };
      columns.push(await cellOf(cells[i] ?? [], inner, align, tone === 'total', cell, setter));
    }
    const lines = ruled(besides(columns), { ...place, thickness: 0.4, grey: 0.8 });
    const keepWithNext = table.rows.length <= MAX_KEPT_ROWS && index < table.rows.length - 1;
    strips.push({ lines, before: 3, header, keepWithNext });
  }
  return strips;
}

async function cellOf(
  texts: readonly CellText[],
  place: Place,
  align: 'start' | 'end',
  isTotal: boolean,
  cell: Node,
  setter: Typesetter,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { text, label, tone = 'plain' } of texts) {
    const whole = label === undefined ? text : `${label}: ${text}`;
    const face = isTotal ? faces.strong : faces[tone];
    append(lines, await linesOf(whole, face, place, addNode(cell, 'P'), setter, LINE, align));
  }
  return lines;
}

/** For more lines than a call has arguments. */
function append(lines: Line[], more: readonly Line[]): void {
  for (const line of more) lines.push(line);
}

/** The lines with a rule below. */
function ruled(lines: readonly Line[], rule: Rule): Line[] {
  const last = lines.at(-1) ?? { height: LINE, pieces: [] };
  return lines.slice(0, -1).concat({ ...last, rules: [rule] });
}

function placesOf({ columns }: Table, { x, width }: Place): Place[] {
  const sum = columns.reduce((total, column) => total + column.width, 0);
  const room = width - CELL_GAP * (columns.length - 1);
  let at = x;
  return columns.map((column) => {
    const place = { x: at, width: (room * column.width) / sum };
    at += place.width + CELL_GAP;
    return place;
  });
}
