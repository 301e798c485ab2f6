import type { Run } from '../index.js';

/** Addresses that a reader may be led to; others stay text. */
const SCHEME = /^(?:https?|mailto|tel|ftp):/i;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Text that would begin a block at the start of a line (CommonMark 0.31, 4 and 5). */
const BLOCK_START = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|={1,}\s*$|-{2,}\s*$|~{3,})/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

export interface InlineOptions {
  /** Number of a footnote by its id; noting it counts as a reference. */
  readonly footnote: (id: string) => number;
  /** Drops this look: a heading, a table's header is bold by itself. */
  readonly unbold?: boolean;
  /** Replacement of a line feed in a run. */
  readonly lineBreak: string;
  /** Pipes end cells. */
  readonly cell?: boolean;
}

/** Text with everything escaped that Markdown would read as its own (CommonMark 0.31, 2.4; strikethrough, tables). */
export function escapeText(text: string, cell = false): string {
  const escaped = text
    .replace(/[\\`*[\]<~]/g, '\\$&')
    // Underscores within a word mean nothing.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?[a-z0-9]{1,31};)/gi, '&amp;');
  return cell ? escaped.replaceAll('|', '\\|') : escaped;
}

/** The same for the beginning of a line. */
function escapeStart(line: string): string {
  return line.replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2');
}

/** Runs as inline Markdown; looks that Markdown has not are left out. */
export function inlineText(runs: readonly Run[], options: InlineOptions): string {
  const parts = merged(runs, options.unbold === true);
  let out = '';
  for (const [i, part] of parts.entries()) {
    const before = out.at(-1) ?? ' ';
    const after = parts[i + 1]?.text[0] ?? ' ';
    out += write(part, before, after, options);
  }
  return out
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .trim()
    .split('\n')
    .map((line) => (options.cell === true ? line.trim() : escapeStart(line.trim())))
    .join(options.lineBreak);
}

interface Part {
  text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
  readonly strike: boolean;
  readonly position: Run['position'];
  readonly uri: string | undefined;
  readonly footnote: string | undefined;
}

function merged(runs: readonly Run[], unbold: boolean): Part[] {
  const parts: Part[] = [];
  for (const run of runs) {
    const uri = run.link !== undefined && 'uri' in run.link && SCHEME.test(run.link.uri) ? run.link.uri : undefined;
    const part: Part = {
      text: run.text,
      bold: run.bold && !unbold,
      italic: run.italic,
      code: run.monospace,
      strike: run.strike,
      position: run.position,
      uri,
      footnote: run.footnote,
    };
    const last = parts.at(-1);
    if (last !== undefined && same(last, part)) last.text += part.text;
    else if (last !== undefined && part.text.trim() === '') last.text += part.text;
    else parts.push(part);
  }
  return parts;
}

function same(a: Part, b: Part): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.code === b.code &&
    a.strike === b.strike &&
    a.position === b.position &&
    a.uri === b.uri &&
    a.footnote === undefined &&
    b.footnote === undefined
  );
}

function write(part: Part, before: string, after: string, { footnote, cell }: InlineOptions): string {
  const [, lead = '', text = '', tail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part.text) ?? [];
  if (text === '') return part.text;
  if (part.footnote !== undefined) return `${lead}[^${footnote(part.footnote)}]${tail}`;
  let inner = part.code ? codeSpan(text, cell === true) : escapeText(text, cell);
  if (part.position !== 'normal')
    inner = part.position === 'superscript' ? `<sup>${inner}</sup>` : `<sub>${inner}</sub>`;
  const [left, right] = [lead === '' ? before : ' ', tail === '' ? after : ' '];
  if (part.strike) inner = `~~${inner}~~`;
  const marks = (part.bold ? '**' : '') + (part.italic ? '*' : '');
  if (marks !== '' && part.uri === undefined) inner = emphasised(inner, marks, left, right);
  else if (marks !== '') inner = `${marks}${inner}${[...marks].reverse().join('')}`;
  if (part.uri !== undefined) inner = `[${inner}](${target(part.uri)})`;
  return lead + inner + tail;
}

/** Emphasis by stars where these can begin and end it (CommonMark 0.31, 6.2), else by elements. */
function emphasised(inner: string, marks: string, before: string, after: string): string {
  const [first, last] = [inner[0] ?? '', inner.at(-1) ?? ''];
  const free = (character: string): boolean => /\s/.test(character) || PUNCTUATION.test(character);
  const opens = !PUNCTUATION.test(first) || free(before);
  const closes = !PUNCTUATION.test(last) || free(after);
  // A star before another one would make one longer run of them.
  if (opens && closes && before !== '*' && !inner.includes('\n\n'))
    return `${marks}${inner}${[...marks].reverse().join('')}`;
  const inside = marks.length !== 2 ? `<em>${inner}</em>` : inner;
  return marks.length >= 2 ? `<strong>${inside}</strong>` : inside;
}

/** The most backticks in a row. */
export function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 0);
}

/** A code span; its fence is longer than any in it (CommonMark 0.31, 6.1). */
function codeSpan(text: string, cell: boolean): string {
  const longest = longestTicks(text);
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  const plain = text.replaceAll('\n', ' ');
  return fence + pad + (cell ? plain.replaceAll('|', '\\|') : plain) + pad + fence;
}

/** A link's target: in pointed brackets where it holds what would end it. */
function target(uri: string): string {
  const clean = uri.replace(/[\s<>\\|]/g, (character) => encodeURIComponent(character));
  return /[()]/.test(clean) ? `<${clean}>` : clean;
}
