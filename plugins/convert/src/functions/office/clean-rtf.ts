import { leadsOut, reachesOut, type MayStay } from './outside.js';

interface Cut {
  readonly start: number;
  readonly end: number;
}

interface Group {
  readonly start: number;
  /** Behind the control word that says what the group is for. */
  destination: string;
  bodyAt: number;
  text: string;
  /** Number of fallback characters that follow a Unicode character, for programs without Unicode. */
  fallback: number;
}

/**
 * Groups that name other files, dropped whole: templates, files that follow or belong to this one, sources of mail
 * merges (Rich Text Format 1.9.1).
 */
const dropped = new Set([
  'template',
  'nextfile',
  'filetbl',
  'file',
  'mailmerge',
  'linkval',
  'wgrffmtfilter',
  'objname',
  'objalias',
  'objtopic',
  'objsect',
  'objitem',
]);
/** Control words that make an embedded object a linked or self-updating one, or take a file in. */
const words = new Set([
  'objautlink',
  'objlink',
  'objsub',
  'objpub',
  'objicemb',
  'objupdate',
  'linkself',
  'subdocument',
]);
/** Properties of shapes whose values are addresses. */
const shapeAddresses = new Set(['pibName', 'fillBlipName', 'lineFillBlipName', 'pibFlags', 'fillBlipFlags']);
/** Text of these is collected: field instructions, names and values of shape properties. */
const collected = new Set(['fldinst', 'sn', 'sv']);
const token =
  /\\bin(\d{1,9}) ?|\\'([0-9a-fA-F]{2})|\\u(-?\d{1,6}) ?|\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/g;

/**
 * Removes references to other files and servers from RTF: field instructions, templates, linked objects and images.
 * Their saved content and clickable links stay. Input and output are Latin-1 and identical byte for byte except for
 * what is removed.
 */
export function cleanRtf(rtf: string, mayStay: MayStay): string {
  return without(rtf, new RtfReader(rtf, mayStay).cuts());
}

/** Reads RTF once, and collects what is removed. */
class RtfReader {
  readonly #cuts: Cut[] = [];
  readonly #open: Group[] = [];
  #shapeName = '';
  /** Characters that repeat one in Unicode for programs that do not know it. */
  #skip = 0;

  constructor(
    readonly rtf: string,
    readonly mayStay: MayStay,
  ) {}

  cuts(): readonly Cut[] {
    token.lastIndex = 0;
    for (let match = token.exec(this.rtf); match !== null; match = token.exec(this.rtf)) this.#take(match);
    return this.#cuts;
  }

  #take(match: RegExpExecArray): void {
    const [whole, binary, hex, unicode, word, number, symbol, brace, text] = match;
    const top = this.#open.at(-1);
    if (binary !== undefined) token.lastIndex = Math.min(this.rtf.length, match.index + whole.length + Number(binary));
    else if (brace === '{') this.#begin(match.index, top);
    else if (brace === '}') this.#end(match.index);
    else if (top === undefined) return;
    else if (word !== undefined) this.#takeWord(top, word, number, { start: match.index, end: token.lastIndex });
    else if (unicode !== undefined) {
      top.text += String.fromCharCode(Number(unicode) & 0xffff);
      this.#skip = top.fallback;
    } else {
      const read = hex === undefined ? (symbolText(symbol) ?? text ?? '') : String.fromCharCode(parseInt(hex, 16));
      top.text += read.slice(this.#skip);
      this.#skip = Math.max(0, this.#skip - read.length);
    }
  }

  #begin(start: number, parent: Group | undefined): void {
    this.#open.push({ start, destination: '', bodyAt: start + 1, text: '', fallback: parent?.fallback ?? 1 });
    this.#skip = 0;
  }

  #end(at: number): void {
    const group = this.#open.pop();
    if (group === undefined) return;
    const { destination, text } = group;
    if (destination === 'sn') this.#shapeName = text.trim();
    else if (dropped.has(destination)) this.#cuts.push({ start: group.start, end: at + 1 });
    else if (this.#refersOutside(group)) this.#cuts.push({ start: group.bodyAt, end: at });
    // A group within an instruction is part of it.
    const parent = this.#open.at(-1);
    if (parent !== undefined && !collected.has(destination))
      parent.text += destination === 'fldrslt' || destination === 'field' ? '' : text;
  }

  #refersOutside({ destination, text }: Group): boolean {
    if (destination === 'fldinst') return reachesOut(text) && !this.mayStay(addressIn(text));
    return (
      destination === 'sv' &&
      shapeAddresses.has(this.#shapeName) &&
      (this.#shapeName.endsWith('Flags') || leadsOut(text, false)) &&
      !this.mayStay(text.trim())
    );
  }

  #takeWord(top: Group, word: string, number: string | undefined, place: Cut): void {
    if (word === 'uc') top.fallback = Number(number ?? 1);
    const isDestination = collected.has(word) || dropped.has(word) || word === 'fldrslt' || word === 'field';
    if (top.destination === '' && isDestination) {
      top.destination = word;
      top.bodyAt = place.end;
    } else if (words.has(word)) this.#cuts.push(place);
  }
}

/** The text of a control symbol; undefined where the match is not one. */
function symbolText(symbol: string | undefined): string | undefined {
  if (symbol === '~') return ' ';
  return symbol === undefined ? undefined : '\\{}'.includes(symbol) ? symbol : '';
}

const addressIn = (instruction: string): string =>
  /"([^"]*)"/.exec(instruction)?.[1] ?? instruction.trim().split(/\s+/)[1] ?? '';

function without(rtf: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return rtf;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of [...cuts].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    pieces.push(rtf.slice(at, start));
    at = end;
  }
  return pieces.join('') + rtf.slice(at);
}
