import { type Mark, NUMBER, numberOf, type PrintedNumber } from './read-number.js';

/** A sign of arithmetic. */
export type Operator = '+' | '-' | '*' | '/';

interface Placed {
  /** Place in the text. */
  readonly start: number;
  readonly end: number;
}

/** A part of a text as arithmetic sees it. A number may have a unit behind it (`3 h`). */
export type Token = Placed &
  (
    | { readonly kind: 'number'; readonly number: PrintedNumber; readonly unit: string }
    | { readonly kind: 'operator'; readonly operator: Operator }
    | { readonly kind: 'unit'; readonly word: string }
    | { readonly kind: 'open' | 'close' | 'equals' | 'word' }
  );

const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': '+',
  '-': '-',
  '−': '-',
  '–': '-',
  x: '*',
  X: '*',
  '×': '*',
  '*': '*',
  '·': '*',
  '⋅': '*',
  '∙': '*',
  '/': '/',
  '÷': '/',
};
/** A bare number without sign and brackets, as they are tokens of their own here. */
const BARE = NUMBER.replace(String.raw`(\(?)([-−–]?)`, '()()')
  .replace(String.raw`([-−–]?)(`, '()(')
  .replace(String.raw`(-(?![\d\p{L}]))?(\)?)`, '()()');
const TOKEN = new RegExp(
  String.raw`${BARE}|(=)|(?<![\p{L}\d])([xX])(?![\p{L}])|(?<=\d)([xX])(?=[\s\d])|([-+−–×*·⋅∙/÷])|([()])|(\p{L}[\p{L}\p{M}².³]*)|(\S)`,
  'gu',
);

/** Parts a text into numbers, signs and words, with `mark` before decimals. */
export function tokensOf(text: string, mark: Mark): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const [equals, crossed, between, sign, bracket, word] = match.slice(10, 16);
    const last = tokens.at(-1);
    const operator = crossed ?? between ?? sign;
    if (match[5] !== undefined) {
      const number = numberOf(match, mark);
      // Digits within a name (A4) or a number with several parts (1.2.3, 10:30) are not operands.
      const glued =
        /[\p{L}\p{M}_.,:#]$/u.test(text.slice(Math.max(0, start - 1), start)) &&
        !(last?.kind === 'operator' && last.end === start);
      const goesOn = /^(?:[:.,]\d|_)/.test(text.slice(end, end + 2));
      tokens.push(
        number === undefined || glued || goesOn
          ? { kind: 'word', start, end }
          : { kind: 'number', number, unit: '', start, end },
      );
    } else if (equals !== undefined) tokens.push({ kind: 'equals', start, end });
    else if (operator !== undefined)
      tokens.push({ kind: 'operator', operator: OPERATORS[operator] ?? '+', start, end });
    else if (bracket !== undefined) tokens.push({ kind: bracket === '(' ? 'open' : 'close', start, end });
    else if (word !== undefined && word.length <= 8 && last?.kind === 'number')
      tokens.push({ kind: 'unit', word, start, end });
    else tokens.push({ kind: 'word', start, end });
  }
  return withUnits(tokens);
}

/** A short word between a number and a sign is the number's unit; any other is a word. */
function withUnits(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'unit') {
      joined.push(token);
      continue;
    }
    const [number, next] = [joined.at(-1), tokens[at + 1]];
    const closes = next === undefined || next.kind === 'operator' || next.kind === 'equals' || next.kind === 'close';
    if (number?.kind === 'number' && closes)
      joined[joined.length - 1] = { ...number, unit: token.word, end: token.end };
    else joined.push({ kind: 'word', start: token.start, end: token.end });
  }
  return joined;
}
