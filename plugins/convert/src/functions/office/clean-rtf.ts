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
  /** Characters that stand behind one in Unicode for programs that know none. */
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
  const cuts: Cut[] = [];
  const open: Group[] = [];
  let shapeName = '';
  let skip = 0;
  token.lastIndex = 0;
  for (let match = token.exec(rtf); match !== null; match = token.exec(rtf)) {
    const [whole, binary, hex, unicode, word, number, symbol, brace, text] = match;
    const top = open.at(-1);
    if (binary !== undefined) {
      token.lastIndex = Math.min(rtf.length, match.index + whole.length + Number(binary));
    } else if (brace === '{') {
      open.push({
        start: match.index,
        destination: '',
        bodyAt: match.index + 1,
        text: '',
        fallback: top?.fallback ?? 1,
      });
      skip = 0;
    } else if (brace === '}') {
      const group = open.pop();
      if (group === undefined) continue;
      const end = match.index + 1;
      if (group.destination === 'fldinst') {
        if (reachesOut(group.text) && !mayStay(addressIn(group.text)))
          cuts.push({ start: group.bodyAt, end: match.index });
      } else if (group.destination === 'sn') shapeName = group.text.trim();
      else if (group.destination === 'sv') {
        if (
          shapeAddresses.has(shapeName) &&
          (shapeName.endsWith('Flags') || leadsOut(group.text, false)) &&
          !mayStay(group.text.trim())
        )
          cuts.push({ start: group.bodyAt, end: match.index });
      } else if (dropped.has(group.destination)) cuts.push({ start: group.start, end });
      // A group within an instruction is part of it.
      const parent = open.at(-1);
      if (parent !== undefined && (group.destination === '' || !collected.has(group.destination)))
        parent.text += group.destination === 'fldrslt' || group.destination === 'field' ? '' : group.text;
    } else if (top === undefined) {
      continue;
    } else if (word !== undefined) {
      if (word === 'uc') top.fallback = Number(number ?? 1);
      if (
        top.destination === '' &&
        (collected.has(word) || dropped.has(word) || word === 'fldrslt' || word === 'field')
      ) {
        top.destination = word;
        top.bodyAt = match.index + whole.length;
      } else if (words.has(word)) cuts.push({ start: match.index, end: match.index + whole.length });
    } else if (unicode !== undefined) {
      top.text += String.fromCharCode(Number(unicode) & 0xffff);
      skip = top.fallback;
    } else {
      const read =
        hex !== undefined
          ? String.fromCharCode(parseInt(hex, 16))
          : symbol === '~'
            ? ' '
            : symbol !== undefined
              ? '\\{}'.includes(symbol)
                ? symbol
                : ''
              : (text ?? '');
      top.text += read.slice(skip);
      skip = Math.max(0, skip - read.length);
    }
  }
  return without(rtf, cuts);
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
