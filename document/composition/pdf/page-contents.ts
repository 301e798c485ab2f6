import { decimal } from '../../content/drawing/index.js';
import type { TextFont } from '../../fonts/index.js';
import type { Page, PlacedPiece, PlacedRule } from './flow.js';
import type { SetLine } from './typesetter.js';

/** The area of texts on a page, in points from its lower left corner. */
export interface Frame {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
}

/** The page label at the foot of a page. */
export interface Foot {
  readonly line: SetLine;
  readonly size: number;
  readonly grey: number;
  /** Its baseline from the bottom of the page. */
  readonly y: number;
}

/**
 * The content of a page: each text in its element, everything else as an artifact (ISO 32000-1, 14.8.2.2). Numbers the
 * marks of the page and adds them to their elements.
 */
export function pageContent(font: TextFont, page: Page, index: number, frame: Frame, foot: Foot): string {
  let id = 0;
  const operators = page.rules.map((rule) => ruleOf(rule, frame));
  for (const piece of page.pieces) {
    const text = textOf(font, piece.line, piece.face, frame.left + piece.x, frame.bottom + piece.y);
    if (text === '') continue;
    operators.push(piece.isRepeated ? artifact(text, 'Header') : marked(piece, index, id++, text));
  }
  const x = frame.left + frame.width - foot.line.width;
  operators.push(artifact(textOf(font, foot.line, foot, x, foot.y), 'Footer'));
  return operators.join('\n');
}

function marked(piece: PlacedPiece, page: number, id: number, text: string): string {
  piece.node.marks.push({ page, id });
  return `/${piece.node.type} <</MCID ${id}>> BDC\n${text}\nEMC`;
}

function artifact(operators: string, subtype: 'Header' | 'Footer'): string {
  return `/Artifact <</Type /Pagination /Subtype /${subtype}>> BDC\n${operators}\nEMC`;
}

function textOf(
  font: TextFont,
  { shaped }: SetLine,
  { size, grey }: { readonly size: number; readonly grey: number },
  x: number,
  y: number,
): string {
  const shown = font.show(shaped, size);
  if (shown === '') return '';
  return `BT\n${decimal(grey)} g\n/F ${decimal(size)} Tf\n1 0 0 1 ${decimal(x)} ${decimal(y)} Tm\n${shown}\nET`;
}

function ruleOf({ x, y, width, thickness, grey }: PlacedRule, { left, bottom }: Frame): string {
  const [from, to, at] = [left + x, left + x + width, bottom + y].map(decimal);
  const stroke = `${decimal(grey)} G ${decimal(thickness)} w ${from} ${at} m ${to} ${at} l S`;
  return `/Artifact <</Type /Layout>> BDC\n${stroke}\nEMC`;
}
