import type { PageProse } from './audit-document.js';
import { type Claim, type ClaimKind, claimKinds } from './claims.js';
import { plainDigits } from './read-number.js';

/** A question about a part of the prose. */
export interface ClaimQuestion {
  readonly instructions: string;
  readonly text: string;
  readonly schema: object;
}

/** Asks the question, and gives the checked answer. */
export type AskClaims = (question: ClaimQuestion) => Promise<unknown>;

/** Bounds of what a model is shown. */
export interface ProseLimits {
  readonly pages: number;
  readonly characters: number;
}

/** Characters of one question, where the settings allow more: what models read with attention. */
const SHARE = 12_000;
/** Questions about one document, at most; what is left over is checked without the model. */
const MOST_ROUNDS = 8;

const INSTRUCTIONS = [
  'You find arithmetic claims in sentences of a document: statements that numbers add up to, differ by, ' +
    'multiply to, are a percentage or an average of, or changed by a percentage of other numbers that are named ' +
    'in the same sentence.',
  'Do not calculate and do not judge: a program checks each claim. List every claim whose operands and result ' +
    'all stand in the sentence, each as it is printed there, with its currency and percent sign.',
  'Give the sentence as "quote", word by word, and the number of its page. For percentage_of the operands are ' +
    'the percentage and the base; for percentage_change the old and the new amount, with the percentage as ' +
    'result; for difference, quotient: two operands in their order.',
  'An empty list is a good answer where there are no such claims.',
].join('\n');

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['claims'],
  properties: {
    claims: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['page', 'quote', 'kind', 'operands', 'result'],
        properties: {
          page: { type: 'integer' },
          quote: { type: 'string' },
          kind: { type: 'string', enum: [...claimKinds] },
          operands: { type: 'array', items: { type: 'string' } },
          result: { type: 'string' },
        },
      },
    },
  },
} as const;

/**
 * Asks a model for claims in prose, part by part within the limits. Keeps those whose quotation is on the named page
 * and contains the numbers: invented claims are dropped.
 */
export async function proposeClaims(
  prose: readonly PageProse[],
  limits: ProseLimits,
  ask: AskClaims,
): Promise<{ readonly claims: readonly Claim[]; readonly rounds: number }> {
  const parts = partsOf(prose, {
    pages: limits.pages,
    characters: Math.min(limits.characters - INSTRUCTIONS.length, SHARE),
  }).slice(0, MOST_ROUNDS);
  const claims: Claim[] = [];
  for (const part of parts) {
    const answer = (await ask({ instructions: INSTRUCTIONS, text: part, schema: SCHEMA })) as {
      readonly claims: readonly Proposed[];
    };
    claims.push(...answer.claims.slice(0, 200).filter((claim) => isPrinted(claim, prose)));
  }
  return { claims, rounds: parts.length };
}

type Proposed = {
  readonly page: number;
  readonly quote: string;
  readonly kind: ClaimKind;
  readonly operands: readonly string[];
  readonly result: string;
};

function isPrinted({ page, quote, operands, result }: Proposed, prose: readonly PageProse[]): boolean {
  const flat = (text: string): string => plainDigits(text).replace(/\s+/g, ' ').trim();
  const [quoted, here] = [flat(quote), prose.find((one) => one.page === page)];
  if (quoted === '' || here?.sentences.some((sentence) => flat(sentence).includes(quoted)) !== true) return false;
  // Each number is used as often as it is printed, and whole.
  let left = quoted;
  return [result, ...operands].every((text) => {
    const number = flat(text);
    const at = number === '' ? -1 : placeOf(left, number);
    if (at < 0) return false;
    left = `${left.slice(0, at)} ¤ ${left.slice(at + number.length)}`;
    return true;
  });
}

function placeOf(text: string, number: string): number {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    if (!/[\d.,]$/.test(text.slice(0, at)) && !/^(?:\d|[.,]\d)/.test(text.slice(at + number.length))) return at;
  }
  return -1;
}

/** Texts of whole sentences under the numbers of their pages, each within the limits. */
function partsOf(prose: readonly PageProse[], { pages, characters }: ProseLimits): readonly string[] {
  const parts: string[] = [];
  let [text, held] = ['', 0];
  for (const { page, sentences } of prose) {
    let headed = false;
    for (const sentence of sentences) {
      const addition = `${headed ? '' : `[page ${page}]\n`}${sentence}\n`;
      if (addition.length > characters) continue;
      if (text.length + addition.length > characters || (!headed && held >= pages)) {
        parts.push(text);
        [text, held, headed] = ['', 0, false];
      }
      const line = headed ? `${sentence}\n` : `[page ${page}]\n${sentence}\n`;
      if (!headed) held++;
      headed = true;
      if (line.length <= characters) text += line;
    }
  }
  return text === '' ? parts : [...parts, text].filter((part) => part !== '');
}
