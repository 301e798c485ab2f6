import type { Claim } from './claims.js';
import { NUMBER, plainDigits } from './read-number.js';

/** A number within a sentence, as one group. */
const N = `(${NUMBER})`;
const IS = String.raw`(?:is|are|was|were|equals|makes|gives|comes? to|came to|amounts? to|amounted to|totals?|=|ist|sind|war|waren|beträgt|betragen|betrug|ergibt|ergeben|macht|est|sont|était|fait|font|égale|es|son|fue|è|sono|fa)`;
const AND = String.raw`(?:and|und|et|y|e|&|plus)`;

/**
 * Of a match: the texts of those numbers of it that the pattern names, in order. `NUMBER` has nine groups of its own.
 */
const each = (count: number, match: RegExpMatchArray): readonly string[] =>
  Array.from({ length: count }, (_, i) => (match[1 + i * 10] ?? '').trim());

const PERCENT_OF = new RegExp(
  String.raw`(?<![\p{L}\d.,])${N}\s+(?:of|von|aus|vom|de|del|di|der)\s+(?:the\s+|den\s+|l[ae]s?\s+)?${N}\s+(?:\p{L}+\s+)?${IS}\s+(?:about\s+)?${N}`,
  'giu',
);
const SUM_OF = new RegExp(
  String.raw`(?<!\p{L})(?:sum|total|summe|somme|suma|somma)\s+(?:of|aus|von|de|di)\s+([^;:()?!]{5,200}?)\s+${IS}\s+${N}`,
  'giu',
);
const BETWEEN = new RegExp(String.raw`,\s+(?:${AND}\s+)?|\s+${AND}\s+`, 'iu');
const DIFFERENCE = new RegExp(
  String.raw`(?:difference|differenz|unterschied|différence|diferencia|differenza)\s+(?:between|zwischen|entre|tra|fra)\s+${N}\s+${AND}\s+${N}\s+${IS}\s+${N}`,
  'giu',
);
const FROM_TO = new RegExp(String.raw`(?:from|von|de|da)\s+${N}(?:\s+\p{L}+){0,4}?\s+(?:to|auf|à|a)\s+${N}`, 'giu');
const PERCENT = new RegExp(String.raw`(?<![\p{L}\d.,])${N}`, 'giu');
const CHANGES =
  /(?:\b(?:rose|risen|rise|rises|increase[ds]?|grew|grown|growth|gain(?:ed|s)?|up|higher|fell|fallen|fall|falls|decrease[ds]?|declined?|drop(?:ped|s)?|down|lower|reduced|reduction|stieg|gestiegen|anstieg|zunahme|wuchs|erhöht|erhöhung|sank|gesunken|rückgang|fiel|verringert|abnahme|augment\p{L}*|hausse|progress\p{L}*|baiss\p{L}*|diminu\p{L}*|recul\p{L}*|aument\p{L}*|subi\p{L}*|disminu\p{L}*|baj\p{L}*)(?!\p{L}))/iu;
const LONGEST_SENTENCE = 600;

/** The sentences of a text; none is longer than a person would write. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?;])\s+(?=[\p{Lu}\d"'(«„“])|(?<=。)/u)
    .filter((sentence) => sentence.length <= LONGEST_SENTENCE);
}

/**
 * Claims that can be read without understanding the language: shares, sums, differences and changes in percent, in
 * English, German, French, Spanish and Italian.
 */
export function readClaims(sentence: string, page: number): readonly Claim[] {
  const plain = plainDigits(sentence);
  if (!/\d.*\d/.test(plain)) return [];
  const claims: Claim[] = [];
  const add = (kind: Claim['kind'], operands: readonly string[], result: string): void =>
    void claims.push({ kind, operands, result, quote: sentence, page });
  for (const match of plain.matchAll(PERCENT_OF)) {
    const [share = '', base = '', result = ''] = each(3, match);
    if (/%/.test(share)) add('percentage_of', [share, base], result);
  }
  for (const match of plain.matchAll(DIFFERENCE)) {
    const [a = '', b = '', result = ''] = each(3, match);
    add('difference', [a, b], result);
  }
  for (const match of plain.matchAll(SUM_OF)) {
    const operands = (match[1] ?? '').split(BETWEEN).map((text) => text.trim());
    if (operands.length >= 2) add('sum', operands, (match[2] ?? '').trim());
  }
  const moves = CHANGES.test(plain) ? [...plain.matchAll(FROM_TO)] : [];
  const percents = [...plain.matchAll(PERCENT)].map(([text]) => text.trim()).filter((text) => text.endsWith('%'));
  const [move] = moves;
  const [percent] = percents;
  if (moves.length === 1 && percents.length === 1 && move !== undefined && percent !== undefined) {
    const [from = '', to = ''] = each(2, move);
    // Two years are not a change of amounts.
    if (!/%/.test(from + to) && !(isYear(from) && isYear(to))) add('percentage_change', [from, to], percent);
  }
  return claims;
}

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text);
}
