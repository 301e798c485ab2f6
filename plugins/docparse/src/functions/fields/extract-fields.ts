import type { Box } from '@quire/document/layout';
import { readingOf, TextSearch } from '@quire/document/redaction/search';
import { conceptOf, labelsOf, likeness, plainName, type WantedField } from './field-names.js';
import { type FieldValue, findIban, hasAmount, type Locale, localeOf, typedValue } from './field-types.js';
import type { Evidence, Pair, Snippet } from './read-evidence.js';

export interface FoundField {
  readonly name: string;
  readonly type: WantedField['type'];
  readonly found: boolean;
  readonly value: FieldValue | null;
  /** 0 to 1; 0 where nothing was found. */
  readonly confidence: number;
  /**
   * How: a form field, a label beside it, a table, the field's pattern, what such values look like, or the language
   * model.
   */
  readonly source?: 'form' | 'label' | 'table' | 'pattern' | 'type' | 'model';
  /** 1-based. */
  readonly page?: number;
  /** The text from which the value was read, as printed on that page. */
  readonly quotation?: string;
  /** Where that is: left, top, right, bottom in points of the page as shown, from its upper left corner. */
  readonly box?: readonly [number, number, number, number];
}

interface Candidate {
  readonly value: FieldValue;
  readonly score: number;
  readonly source: NonNullable<FoundField['source']>;
  readonly at: Snippet;
}

/** Values with a lower confidence are not returned. */
const LEAST = 0.35;
const MAX_QUOTATION = 500;

/** Values of common kinds that are known by what they look like; the text that is one, or undefined. */
const LOOKS: Readonly<Record<string, (text: string) => string | undefined>> = {
  iban: findIban,
  email: (text) => /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.\p{L}{2,24}/u.exec(text)?.[0],
  vatId: (text) =>
    /\b(?:ATU\d{8}|DE\d{9}|FR[A-Z\d]{2}\d{9}|ES[A-Z\d]\d{7}[A-Z\d]|IT\d{11}|NL\d{9}B\d{2}|BE[01]\d{9}|GB\d{9}|CHE-?\d{3}\.?\d{3}\.?\d{3})\b/.exec(
      text,
    )?.[0],
  bic: (text) => /\b(?:BIC|SWIFT)[:/ ]*(?:SWIFT)?[: ]*([A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?)\b/.exec(text)?.[1],
  invoiceNumber: (text) =>
    /(?:invoice|rechnung|facture|factura)(?:s?nummer|\s*-?\s*(?:number|no|nr|n°|nº|#|num[ée]ro|n[uú]mero))?\.?\s*[:#]?\s*([A-Z]{0,5}[-/]?\d[\w/.-]{2,24}|[A-Z]{1,5}[-/]\d[\w/.-]{0,24})/iu
      .exec(text)?.[1]
      ?.replace(/[.]$/, ''),
  phone: (text) =>
    /(?:\+\d|(?<=(?:tel|phone|fon|mobil|t[ée]l[ée]fono?|mobile)\p{L}{0,8}\.?[\s:]{0,3})[(\d])[\d ()/-]{6,18}\d\b/iu.exec(
      text,
    )?.[0],
};

/**
 * Finds the wanted fields in the document itself: form, labels, tables, the fields' patterns, and typical shapes of
 * values. Throws PATTERN_TOO_SLOW, and PatternError for an invalid pattern.
 */
export function extractFields(fields: readonly WantedField[], evidence: Evidence): FoundField[] {
  const locale = localeOf(evidence.texts.join('\n'));
  return fields.map((field) => {
    const candidates = [
      ...fromPattern(field, evidence, locale),
      ...(field.pattern === undefined
        ? [...fromPairs(field, evidence, locale), ...fromLooks(field, evidence), ...fromLines(field, evidence, locale)]
        : []),
    ];
    let best: Candidate | undefined;
    for (const candidate of candidates)
      if (candidate.score >= LEAST && (best === undefined || candidate.score > best.score + 1e-9)) best = candidate;
    return best === undefined
      ? { name: field.name, type: field.type, found: false, value: null, confidence: 0 }
      : foundField(field, best);
  });
}

/** A field with its evidence. */
export function foundField(
  { name, type }: Pick<WantedField, 'name' | 'type'>,
  { value, score, source, at }: Candidate,
): FoundField {
  return {
    name,
    type,
    found: true,
    value,
    confidence: Math.round(Math.min(1, score) * 100) / 100,
    source,
    page: at.page,
    quotation: at.text.length > MAX_QUOTATION ? at.text.slice(0, MAX_QUOTATION) : at.text,
    ...(at.box === undefined ? {} : { box: cornersOf(at.box) }),
  };
}

/** A box as it is answered: left, top, right, bottom, rounded to hundredths of a point. */
export function cornersOf({ left, top, right, bottom }: Box): readonly [number, number, number, number] {
  const round = (n: number): number => Math.round(n * 100) / 100;
  return [round(left), round(top), round(right), round(bottom)];
}

function fromPattern(
  { pattern, type, name, description }: WantedField,
  { snippets, pairs, texts }: Evidence,
  locale: Locale,
): Candidate[] {
  if (pattern === undefined) return [];
  const search = new TextSearch([{ text: pattern, regex: true }]);
  const labels = labelsOf({ name, ...(description === undefined ? {} : { description }) });
  const matched = (text: string): string | undefined => {
    const reading = readingOf([...text].map((character) => ({ text: character }))).text;
    const [match] = search.find(reading);
    return match === undefined ? undefined : reading.slice(match.start, match.end);
  };
  const candidates: Candidate[] = [];
  const take = (text: string, at: Snippet, score: number): boolean => {
    const found = matched(text);
    const value = found === undefined ? undefined : typedValue(found, type, locale);
    if (value !== undefined) candidates.push({ value, score, source: 'pattern', at });
    return value !== undefined;
  };
  for (const pair of pairs)
    if (bestLabel(pair, labels) > 0.6 && take(pair.value.text, pair.value, 0.98)) return candidates;
  const holding = new Set(
    search.holding(texts.map((text) => readingOf([...text].map((character) => ({ text: character }))).text)),
  );
  for (const at of snippets) if (holding.has(at.page - 1) && take(at.text, at, 0.9)) return candidates;
  // Matches that span lines or occur several times on a line.
  for (const [i, text] of texts.entries()) {
    const found = holding.has(i) ? matched(text) : undefined;
    const value = found === undefined ? undefined : typedValue(found, type, locale);
    if (found !== undefined && value !== undefined)
      return [{ value, score: 0.8, source: 'pattern', at: { page: i + 1, text: found, box: undefined } }];
  }
  return candidates;
}

function bestLabel(pair: Pair, labels: ReturnType<typeof labelsOf>): number {
  let best = 0;
  for (const { label, weight } of labels)
    if (weight > best) best = Math.max(best, weight * likeness(pair.plain, label));
  return best;
}

function fromPairs(field: WantedField, { pairs }: Evidence, locale: Locale): Candidate[] {
  const labels = labelsOf(field);
  return pairs.flatMap((pair): Candidate[] => {
    const fits = bestLabel(pair, labels);
    if (fits < 0.4) return [];
    if (field.type === 'list' && pair.column !== undefined)
      return [
        {
          value: pair.column,
          score: fits * 0.95,
          source: 'table',
          at: { ...pair.value, text: pair.column.join('\n') },
        },
      ];
    const value = typedValue(pair.value.text, field.type, locale);
    return value === undefined
      ? []
      : [{ value, score: fits * pair.weight * plausible(field, pair.value.text), source: pair.source, at: pair.value }];
  });
}

/** How well a text is a value of its kind: amounts have currencies, numbers of invoices have digits. */
function plausible({ type, name }: WantedField, text: string): number {
  const concept = conceptOf(name) ?? '';
  if (type === 'currency') return hasAmount(text) ? 1 : 0.85;
  if (type === 'string') {
    if (/Number$|^iban$|^vatId$/.test(concept) && !/\d/.test(text)) return 0.2;
    if (LOOKS[concept] !== undefined && concept !== 'invoiceNumber' && LOOKS[concept](text) === undefined)
      return concept === 'iban' ? 0.3 : 0.6;
    return text.length > 200 ? 0.6 : 1;
  }
  return type === 'number' && !/^\W*[\d.,\s]+\W*\p{L}{0,4}\W*$/u.test(text) ? 0.7 : 1;
}

function fromLooks({ name, type }: WantedField, { snippets }: Evidence): Candidate[] {
  const look = LOOKS[conceptOf(name) ?? ''];
  if (look === undefined || type !== 'string') return [];
  for (const at of snippets) {
    const value = look(at.text);
    if (value !== undefined) return [{ value, score: 0.9, source: 'type', at }];
  }
  return [];
}

/** A label and its value without a sign between them: "Total 119.00 EUR". */
function fromLines(field: WantedField, { snippets }: Evidence, locale: Locale): Candidate[] {
  if (field.type === 'list') return [];
  const labels = labelsOf(field);
  const candidates: Candidate[] = [];
  for (const at of snippets) {
    if (at.text.length > 120) continue;
    const plain = plainName(at.text);
    const label = labels.find((one) => plain.startsWith(`${one.label} `));
    if (label === undefined) continue;
    const rest = restBehind(at.text, label.label);
    const value = rest === '' ? undefined : typedValue(rest, field.type, locale);
    if (value !== undefined)
      candidates.push({
        value,
        score: label.weight * (field.type === 'string' ? 0.6 : 0.75) * plausible(field, rest),
        source: 'label',
        at,
      });
  }
  return candidates;
}

function restBehind(text: string, label: string): string {
  const wanted = label.replace(/[ '/]/g, '').length;
  let [seen, at] = [0, 0];
  for (; at < text.length && seen < wanted; at++) if (/[\p{L}\p{N}#°º]/u.test(text[at]!)) seen++;
  return text.slice(at).replace(/^[\s:.#)\]-]+/, '');
}
