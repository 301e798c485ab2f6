import { InputError } from '@quire/registry';
import type { FilterValue } from './filter.js';

export interface Token {
  /** A word is a name, an operator, or true, false and null. */
  readonly kind: 'word' | 'sign' | 'value';
  readonly text: string;
  /** Of a word that can be a value, and of texts and numbers. */
  readonly value?: FilterValue | undefined;
  /** From 0. */
  readonly position: number;
}

const words = new Map<string, FilterValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** One token at a time: a space, a sign, a text of JSON, or a run of other characters. */
const pattern = /\s+|[()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+/y;

/** Cuts a filter into its tokens. Throws SCIM_FILTER_INVALID. */
export function tokensOf(text: string): readonly Token[] {
  const found: Token[] = [];
  for (let position = 0; position < text.length; position = pattern.lastIndex) {
    pattern.lastIndex = position;
    const piece = pattern.exec(text)?.[0];
    if (piece === undefined)
      throw new InputError('SCIM_FILTER_INVALID', { position: position + 1, detail: 'a double quote is not closed' });
    if (piece.trim() !== '') found.push(tokenOf(piece, position));
  }
  return found;
}

function tokenOf(text: string, position: number): Token {
  if (/^[()[\]]$/.test(text)) return { kind: 'sign', text, position };
  if (text.startsWith('"')) return { kind: 'value', text, position, value: unquoted(text, position) };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { kind: 'value', text, position, value: Number(text) };
  return { kind: 'word', text, position, value: words.get(text.toLowerCase()) };
}

function unquoted(text: string, position: number): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    throw new InputError(
      'SCIM_FILTER_INVALID',
      { position: position + 1, detail: 'the text in quotes is not one of JSON' },
      [],
      { cause: error },
    );
  }
}
