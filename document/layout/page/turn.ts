import type { Block, Box, Footnote, TableCell } from '../model.js';
import type { PageContent, Word } from '../page-content.js';

/** Rotation of text on its page in quarter turns (`Word.angle`). */
export type Turn = 0 | 90 | 180 | 270;

/** Degrees by which recognised text leans on a skewed scan. */
const LEANS = 10;

type Map = (box: Box) => Box;

/** The way in which most of a page's letters are written. */
export function mostTurned(words: readonly Word[]): Turn {
  const letters = { 0: 0, 90: 0, 180: 0, 270: 0 };
  for (const { angle, text, style } of words) {
    const quarter = quarterOf(angle, style.invisible);
    if (quarter !== undefined) letters[quarter] += text.length;
  }
  const all = letters[0] + letters[90] + letters[180] + letters[270];
  return ([90, 180, 270] as const).find((angle) => letters[angle] > 0.6 * all) ?? 0;
}

/** The quarter turn of a word; text recognised on a scan may lean a little. */
function quarterOf(angle: number, mayLean: boolean): Turn | undefined {
  const quarter = (Math.round(angle / 90) * 90) % 360;
  const off = Math.abs(angle - Math.round(angle / 90) * 90);
  return off === 0 || (mayLean && off <= LEANS) ? (quarter as Turn) : undefined;
}

/** A page's content turned so that text written at this angle runs to the right. */
export function turned(content: PageContent, turn: Turn): PageContent {
  if (turn === 0) return content;
  const { width, height } = content;
  const map = mapOf(turn, width, height);
  const sideways = turn !== 180;
  return {
    ...content,
    width: sideways ? height : width,
    height: sideways ? width : height,
    words: content.words.map((word) => ({
      ...word,
      box: map(word.box),
      angle: (word.angle - turn + 360) % 360,
      baseline: baselineOf(word, turn, width, height),
    })),
    rulings: content.rulings.map((ruling) => {
      const level = ruling.direction === 'horizontal';
      const box = map(
        level
          ? { left: ruling.from, right: ruling.to, top: ruling.at, bottom: ruling.at }
          : { left: ruling.at, right: ruling.at, top: ruling.from, bottom: ruling.to },
      );
      return level !== sideways
        ? { ...ruling, direction: 'horizontal', at: box.top, from: box.left, to: box.right }
        : { ...ruling, direction: 'vertical', at: box.left, from: box.top, to: box.bottom };
    }),
    fills: content.fills.map((fill) => ({ ...fill, box: map(fill.box) })),
    shapes: content.shapes.map((shape) => ({ ...shape, ...map(shape) })),
    pictures: content.pictures.map(({ picture, mcid }) => ({ mcid, picture: { ...picture, box: map(picture.box) } })),
    links: content.links.map((link) => ({ ...link, box: map(link.box) })),
  };
}

/** The base line after the turn; of words that then stand across it, where they begin. */
function baselineOf({ baseline, angle, box }: Word, turn: Turn, width: number, height: number): number {
  const off = angle - Math.round(angle / 90) * 90;
  if (off !== 0 && quarterOf(angle, true) === turn) {
    // A leaning word that rises begins at the lower edge of its box.
    const { left, right, bottom } = mapOf(turn, width, height)(box);
    return off > 0 ? bottom : bottom - Math.tan((-off * Math.PI) / 180) * (right - left);
  }
  const level = angle !== 90 && angle !== 270;
  const at = mapOf(
    turn,
    width,
    height,
  )(
    level
      ? { left: box.left, right: box.left, top: baseline, bottom: baseline }
      : { left: baseline, right: baseline, top: box.top, bottom: box.top },
  );
  const after = (angle - turn + 360) % 360;
  return after === 90 || after === 270 ? at.left : at.top;
}

/** The boxes of blocks of a turned page, turned back; `width` and `height` are those of the page as shown. */
export function turnedBack<T extends Block | Footnote>(block: T, turn: Turn, width: number, height: number): T {
  if (turn === 0) return block;
  const back = mapOf(((360 - turn) % 360) as Turn, turn === 180 ? width : height, turn === 180 ? height : width);
  return mapBlock(block, back) as T;
}

/** The same for a single box. */
export function boxBack(box: Box, turn: Turn, width: number, height: number): Box {
  return turn === 0
    ? box
    : mapOf(((360 - turn) % 360) as Turn, turn === 180 ? width : height, turn === 180 ? height : width)(box);
}

function mapBlock(block: Block | Footnote, map: Map): Block | Footnote {
  const inner = (blocks: readonly Block[]): Block[] => blocks.map((one) => mapBlock(one, map) as Block);
  const box = map(block.box);
  switch (block.kind) {
    case 'list':
      return { ...block, box, items: block.items.map((item) => ({ ...item, blocks: inner(item.blocks) })) };
    case 'table':
      return {
        ...block,
        box,
        rows: block.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell): TableCell => ({ ...cell, blocks: inner(cell.blocks) })),
        })),
      };
    case 'figure':
      return { ...block, box, picture: { ...block.picture, box: map(block.picture.box) } };
    case 'footnote':
      return { ...block, box, blocks: inner(block.blocks) };
    case 'paragraph':
      return {
        ...block,
        box,
        ...(block.columns === undefined
          ? {}
          : { columns: block.columns.map((turn) => ({ ...turn, box: map(turn.box) })) }),
      };
    default:
      return { ...block, box };
  }
}

/** Turns a page of this size back by what its text is turned. */
function mapOf(turn: Turn, width: number, height: number): Map {
  switch (turn) {
    case 90:
      return ({ left, top, right, bottom }) => ({
        left: height - bottom,
        right: height - top,
        top: left,
        bottom: right,
      });
    case 180:
      return ({ left, top, right, bottom }) => ({
        left: width - right,
        right: width - left,
        top: height - bottom,
        bottom: height - top,
      });
    case 270:
      return ({ left, top, right, bottom }) => ({ left: top, right: bottom, top: width - right, bottom: width - left });
    default:
      return (box) => box;
  }
}
