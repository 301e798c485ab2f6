import { conceptOf, plainName } from './field-names.js';
import { type FieldType, hasAmount, localeOf, parseDate, typedValue } from './field-types.js';
import { cornersOf } from './extract-fields.js';
import { isOnPage, type Model, pagesForModel } from './ask-model.js';
import type { Evidence, Pair } from './read-evidence.js';

/** A field that is worth extracting. */
export interface SuggestedField {
  /** In camelCase, fit for `extract-fields`. */
  readonly name: string;
  readonly type: FieldType;
  /** As it is printed. */
  readonly label: string;
  readonly description?: string;
  readonly example?: string;
  readonly source: Pair['source'] | 'model';
  readonly page?: number;
  readonly box?: readonly [number, number, number, number];
}

const MAX_EXAMPLE = 120;

/** Names the fields that a document's form, labels and tables show, the surest first, at most `maxFields`. */
export function suggestFields(evidence: Evidence, maxFields: number): SuggestedField[] {
  const locale = localeOf(evidence.texts.join('\n'));
  const best = new Map<string, { readonly field: SuggestedField; readonly score: number; readonly order: number }>();
  for (const [order, pair] of evidence.pairs.entries()) {
    const bare = pair.label.replace(/\d+(?:[.,]\d+)?\s*%/g, '');
    const concept = conceptOf(bare);
    const isList = pair.column !== undefined && pair.column.length > 1;
    const score =
      (isList ? 0.85 : pair.weight) * (pair.source === 'form' ? 1.2 : 1) +
      (concept === undefined ? 0 : 0.35) -
      (pair.plain.split(' ').length > 5 ? 0.3 : 0);
    if (score < 0.8 || hasAmount(pair.label) || !/\p{L}{2}/u.test(pair.label) || pair.value.text.length > 300) continue;
    const name = concept ?? camelCase(plainName(bare));
    if (name === '' || (best.get(name)?.score ?? 0) >= score) continue;
    const type = isList ? 'list' : typeOf(pair.value.text, locale);
    const { page, box, text } = pair.value;
    best.set(name, {
      score,
      order: best.get(name)?.order ?? order,
      field: {
        name,
        type,
        label: pair.label,
        example: text.slice(0, MAX_EXAMPLE),
        source: pair.source,
        page,
        ...(box === undefined ? {} : { box: cornersOf(box) }),
      },
    });
  }
  const chosen = [...best.values()].sort((a, b) => b.score - a.score || a.order - b.order).slice(0, maxFields);
  return chosen.sort((a, b) => a.order - b.order).map(({ field }) => field);
}

function camelCase(plain: string): string {
  const words = plain
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N} ]|\p{M}/gu, '')
    .split(' ')
    .filter((word) => word !== '');
  return words
    .map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 60);
}

function typeOf(text: string, locale: ReturnType<typeof localeOf>): FieldType {
  const plain = text.trim();
  if (parseDate(plain, locale) !== undefined && plain.length <= 30) return 'date';
  if (hasAmount(plain) && plain.length <= 30) return 'currency';
  if (typedValue(plain, 'boolean', locale) !== undefined) return 'boolean';
  return /^[-\u2212]?\d{1,3}(?:[., ]?\d{3})*(?:[.,]\d+)?\s?%?$/.test(plain) && !/^0\d/.test(plain)
    ? 'number'
    : 'string';
}

/** Asks a model to name and describe fields; a field counts only if its label is in the document. */
export async function suggestWithModel(
  found: readonly SuggestedField[],
  evidence: Evidence,
  maxFields: number,
  types: readonly FieldType[],
  model: Model,
): Promise<SuggestedField[]> {
  const instructions =
    `Which fields of this document are worth extracting from documents of its kind? Answer at most ${maxFields}, ` +
    'the most useful first: a name in camelCase, a type, a short description, and the label as it is printed. ' +
    `Fields found so far: ${JSON.stringify(found.map(({ name, type, label }) => ({ name, type, label })))}`;
  const text = pagesForModel(evidence.texts, model.limits, instructions);
  if (text.trim() === '') return [...found];
  const answer = await model.ask({
    instructions,
    text,
    answer: {
      name: 'schema',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['fields'],
        properties: {
          fields: {
            type: 'array',
            maxItems: 50,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['name', 'type', 'description', 'label'],
              properties: {
                name: { type: 'string' },
                type: { enum: types },
                description: { type: 'string' },
                label: { type: 'string' },
              },
            },
          },
        },
      },
    },
  });
  const fields = new Map<string, SuggestedField>();
  for (const { name, type, description, label } of (
    answer as { fields: { name: string; type: FieldType; description: string; label: string }[] }
  ).fields) {
    const known = found.find((one) => plainName(one.label) === plainName(label));
    const page = evidence.texts.findIndex((one) => isOnPage(label, one)) + 1;
    const plain = camelCase(plainName(name));
    if (plain === '' || (known === undefined && page === 0)) continue;
    fields.set(plain, {
      ...(known ?? { label, source: 'model' as const, page }),
      name: plain,
      type,
      description: description.slice(0, 300),
    });
  }
  const rest = found.filter(
    (one) => ![...fields.values()].some(({ label }) => label === one.label) && !fields.has(one.name),
  );
  return [...fields.values(), ...rest].slice(0, maxFields);
}
