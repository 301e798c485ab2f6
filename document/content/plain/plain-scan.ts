import type { PlainFont } from './plain-font.js';
import { PlainLines, type PlainStart, type TextCounts } from './plain-lines.js';
import { DICTIONARY, NAME, NUMBER, PlainTokens, STRINGS } from './plain-tokens.js';

/** What content refers to by name. */
export interface PlainNames {
  /** Returns a font; undefined for one that readers may take differently. */
  font(name: string): PlainFont | undefined;
  /** True if an XObject shows no text: an image, or a form without text. */
  showsNoText(name: string): boolean;
  /** True if a graphics state parameter dictionary sets no font. */
  isPlainState(name: string): boolean;
}

/** The text of a plain page. */
export interface PlainText {
  /**
   * In painting order, with a blank for each gap and a line feed after each line; a second text has line feeds after
   * blanks as well, as PDFium gives it.
   */
  readonly texts: readonly string[];
  /**
   * The lines as PDFium gives them, each with a line feed, without blanks around them and with single blanks in them;
   * undefined if that is in doubt.
   */
  readonly lineText: string | undefined;
  /** Amount of text, with a blank for each gap and a line feed for each line end, also beside blanks. */
  readonly counts: TextCounts;
  /** True if sorting the letters into lines would change nothing. */
  readonly inOrder: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Changed in place: objects for each operator would have to be collected. */
class State {
  /** From user space to the page: x' = a x + e, y' = d y + f; text that is turned is not plain. */
  a = 1;
  d = 1;
  e = 0;
  f = 0;
  isUpright = true;
  font: PlainFont | undefined;
  size = 0;
  charSpacing = 0;
  wordSpacing = 0;
  leading = 0;
  isPainted = true;
  isShifted = false;

  copy(from: State): void {
    this.a = from.a;
    this.d = from.d;
    this.e = from.e;
    this.f = from.f;
    this.isUpright = from.isUpright;
    this.font = from.font;
    this.size = from.size;
    this.charSpacing = from.charSpacing;
    this.wordSpacing = from.wordSpacing;
    this.leading = from.leading;
    this.isPainted = from.isPainted;
    this.isShifted = from.isShifted;
  }
}

/** Widths and heights of letters differ at most by this factor. */
const MOST_STRETCH = 1.3;
const MAX_SAVED = 28;

/** Operators that neither show nor move text, by the number of their operands, all of them numbers. */
const WITHOUT_TEXT = new Map(
  [
    ['w', 1],
    ['J', 1],
    ['j', 1],
    ['M', 1],
    ['i', 1],
    ['m', 2],
    ['l', 2],
    ['c', 6],
    ['v', 4],
    ['y', 4],
    ['h', 0],
    ['re', 4],
    ['S', 0],
    ['s', 0],
    ['f', 0],
    ['F', 0],
    ['f*', 0],
    ['B', 0],
    ['B*', 0],
    ['b', 0],
    ['b*', 0],
    ['n', 0],
    ['W', 0],
    ['W*', 0],
    ['g', 1],
    ['G', 1],
    ['rg', 3],
    ['RG', 3],
    ['k', 4],
    ['K', 4],
  ].map(([name, count]) => [key(name as string), count as number]),
);
/** The same, with a name as the only operand, and with any operands. */
const WITH_NAME = new Set(['ri', 'cs', 'CS', 'sh', 'MP', 'BMC'].map(key));
const WITH_ANY = new Set(['d', 'sc', 'SC', 'scn', 'SCN'].map(key));
/** Entries of property lists that say what else text reads as, or whether it is shown. */
const SAYS_MORE = /ActualText|\/OC\b|\/E\b|#/;

function key(name: string): number {
  return [...Buffer.from(name, 'latin1')].reduce((sum, byte, i) => sum + byte * 256 ** i, 0);
}

const Q_SAVE = key('q');
const Q_RESTORE = key('Q');
const CM = key('cm');
const GS = key('gs');
const DO = key('Do');
const BT = key('BT');
const ET = key('ET');
const TF = key('Tf');
const TD = key('Td');
const TD_LEADING = key('TD');
const TM = key('Tm');
const T_STAR = key('T*');
const TJ = key('Tj');
const TJ_ARRAY = key('TJ');
const TC = key('Tc');
const TW = key('Tw');
const TZ = key('Tz');
const TL = key('TL');
const TR = key('Tr');
const TS = key('Ts');
const BMC = key('BMC');
const BDC = key('BDC');
const DP = key('DP');
const EMC = key('EMC');

/**
 * Reads content that leaves no room for two readings (ISO 32000-1, 7.8 to 9): ordinary operators with the operands that
 * they have, upright visible text in fonts without contradictions, no forms with text, no replacement texts. Returns
 * undefined for any other. `box` is the page's box.
 */
export function scanPlain(
  content: Uint8Array,
  names: PlainNames,
  box: readonly [number, number, number, number],
): PlainText | undefined {
  const scan = new Scan(content, names, box);
  try {
    return scan.run() ? scan.lines : undefined;
  } finally {
    scan.release();
  }
}

class Scan {
  readonly lines: PlainLines;
  readonly #tokens: PlainTokens;
  #state = new State();
  /** States by depth: those that are saved, the current one, and unused ones. */
  readonly #states = [this.#state];
  #depth = 0;
  readonly #start: Mutable<PlainStart> = { x: 0, y: 0, em: 0, font: undefined!, charSpacing: 0, wordSpacing: 0 };
  #inText = false;
  #marked = 0;
  /** The text matrix, as in `State`, and the start of the line. */
  #ta = 1;
  #td = 1;
  #x = 0;
  #y = 0;
  #isUpright = true;
  #lineX = 0;

  constructor(
    content: Uint8Array,
    private readonly names: PlainNames,
    box: readonly [number, number, number, number],
  ) {
    this.#tokens = new PlainTokens(content);
    this.lines = new PlainLines(box);
  }

  /** Gives back the memory of which the lines need no more. */
  release(): void {
    this.#tokens.release();
    this.lines.release();
  }

  /** Returns false for content that is not plain. */
  run(): boolean {
    const tokens = this.#tokens;
    for (let operator = tokens.next(); operator !== 0; operator = tokens.next())
      if (!this.#apply(operator) || !this.lines.sure) return false;
    return !tokens.failed && !this.#inText && this.#marked === 0 && this.lines.isPlain;
  }

  #apply(operator: number): boolean {
    const tokens = this.#tokens;
    const count = WITHOUT_TEXT.get(operator);
    if (count !== undefined) return tokens.areNumbers(count);
    if (this.#inText && this.#applyText(operator)) return true;
    switch (operator) {
      case Q_SAVE:
        this.#save();
        return tokens.count === 0 && !this.#inText && this.#depth < MAX_SAVED;
      case Q_RESTORE:
        if (this.#depth === 0) return false;
        this.#state = this.#states[--this.#depth]!;
        return tokens.count === 0 && !this.#inText;
      case CM:
        return !this.#inText && tokens.areNumbers(6) && this.#concat();
      case GS:
        return this.#isName() && this.names.isPlainState(tokens.name);
      case DO:
        return !this.#inText && this.#isName() && this.names.showsNoText(tokens.name);
      case BT:
        [this.#ta, this.#td, this.#x, this.#y, this.#lineX, this.#isUpright] = [1, 1, 0, 0, 0, true];
        if (this.#inText) return false;
        this.#inText = true;
        return tokens.count === 0;
      case EMC:
        return tokens.count === 0 && --this.#marked >= 0;
      case BDC:
      case DP:
        if (operator === BDC) this.#marked++;
        return this.#isPlainMark();
      default:
        return this.#applyTextState(operator) || this.#isWithoutText(operator);
    }
  }

  #save(): void {
    const next = (this.#states[++this.#depth] ??= new State());
    next.copy(this.#state);
    this.#state = next;
  }

  #isWithoutText(operator: number): boolean {
    if (WITH_NAME.has(operator)) {
      if (operator === BMC) this.#marked++;
      return this.#isName();
    }
    return WITH_ANY.has(operator);
  }

  #isName(): boolean {
    return this.#tokens.count === 1 && this.#tokens.kinds[0] === NAME;
  }

  /** Marked content with its properties in place, which say nothing of its text. */
  #isPlainMark(): boolean {
    const { count, kinds, dictionary } = this.#tokens;
    return count === 2 && kinds[0] === NAME && kinds[1] === DICTIONARY && !SAYS_MORE.test(dictionary);
  }

  #concat(): boolean {
    const [a, b, c, d, e, f] = this.#tokens.numbers as unknown as readonly number[];
    const state = this.#state;
    const { a: sa, d: sd } = state;
    state.a = a! * sa;
    state.d = d! * sd;
    state.e += e! * sa;
    state.f += f! * sd;
    state.isUpright &&= b === 0 && c === 0;
    return true;
  }

  #applyTextState(operator: number): boolean {
    const { numbers, kinds, count, name } = this.#tokens;
    if (operator === TF) {
      if (count !== 2 || kinds[0] !== NAME || kinds[1] !== NUMBER) return false;
      this.#state.font = this.names.font(name);
      this.#state.size = numbers[1]!;
      return true;
    }
    if (count !== 1 || kinds[0] !== NUMBER) return false;
    const value = numbers[0]!;
    switch (operator) {
      case TC:
        this.#state.charSpacing = value;
        return true;
      case TW:
        this.#state.wordSpacing = value;
        return true;
      case TL:
        this.#state.leading = value;
        return true;
      case TZ:
        return value === 100;
      case TR:
        this.#state.isPainted = value === 0 || value === 1 || value === 2;
        return true;
      case TS:
        this.#state.isShifted = value !== 0;
        return true;
      default:
        return false;
    }
  }

  /** Operators of text objects; false for others and for wrong operands, which no other case admits. */
  #applyText(operator: number): boolean {
    const tokens = this.#tokens;
    const { numbers } = tokens;
    switch (operator) {
      case ET:
        this.#inText = false;
        return tokens.count === 0;
      case TD:
      case TD_LEADING:
        if (!tokens.areNumbers(2)) return false;
        if (operator === TD_LEADING) this.#state.leading = -numbers[1]!;
        this.#nextLine(numbers[0]!, numbers[1]!);
        return true;
      case T_STAR:
        this.#nextLine(0, -this.#state.leading);
        return tokens.count === 0;
      case TM:
        if (!tokens.areNumbers(6)) return false;
        this.#isUpright = numbers[1] === 0 && numbers[2] === 0;
        this.#ta = numbers[0]!;
        this.#td = numbers[3]!;
        this.#x = this.#lineX = numbers[4]!;
        this.#y = numbers[5]!;
        return true;
      case TJ:
      case TJ_ARRAY:
        return tokens.count === 1 && tokens.kinds[0] === STRINGS && this.#show();
      default:
        return false;
    }
  }

  #nextLine(x: number, y: number): void {
    this.#lineX += x * this.#ta;
    this.#x = this.#lineX;
    this.#y += y * this.#td;
  }

  #show(): boolean {
    const { a, d, e, f, isUpright, font, size, charSpacing, wordSpacing, isPainted, isShifted } = this.#state;
    if (font === undefined || !(size > 0) || !isUpright || !this.#isUpright || !isPainted || isShifted) return false;
    const [across, up] = [a * this.#ta, d * this.#td];
    if (!(across > 0) || !(up > 0) || across > up * MOST_STRETCH || up > across * MOST_STRETCH) return false;
    if (wordSpacing !== 0 && font.codeLength !== 1) return false;
    const start = this.#start;
    start.x = this.#x * a + e;
    start.y = this.#y * d + f;
    start.em = size * across;
    start.font = font;
    start.charSpacing = charSpacing / size;
    start.wordSpacing = wordSpacing / size;
    const pen = this.lines.show(start, this.#tokens);
    this.#x += pen * size * this.#ta;
    return true;
  }
}
