import type { WantedField } from './field-names.js';
import { plainName } from './field-names.js';
import { type FoundField, foundField } from './extract-fields.js';
import { type FieldValue, localeOf, typedValue } from './field-types.js';
import type { Evidence } from './read-evidence.js';

/** A language model; `ask` returns a value that matches the schema. */
export interface Model {
  readonly limits: { readonly pages: number; readonly characters: number };
  ask(question: {
    readonly instructions: string;
    readonly text: string;
    readonly answer: { readonly name: string; readonly schema: object };
  }): Promise<unknown>;
}

const SURE = 0.9;
/** Characters of the document that a question holds, whatever the model takes. */
export const MAX_CHARACTERS = 200_000;

/**
 * The pages of a document as text for a model, as many as its limits let in beside the instructions, each under its
 * number.
 */
export function pagesForModel(
  texts: readonly string[],
  { pages, characters }: Model['limits'],
  instructions: string,
): string {
  let text = '';
  const most = Math.max(0, Math.min(characters - instructions.length, MAX_CHARACTERS));
  for (const [i, page] of texts.slice(0, pages).entries()) {
    text += `[page ${i + 1}]\n${page}\n`;
    if (text.length > most) return text.slice(0, most);
  }
  return text;
}

/**
 * Asks a model for fields that code is not sure of. A proposal is accepted only if its quotation is on the page it
 * names and contains the value; it never replaces a value that code is sure of.
 */
export async function improveWithModel(
  fields: readonly WantedField[],
  found: readonly FoundField[],
  evidence: Evidence,
  model: Model,
): Promise<FoundField[]> {
  const open = fields.filter((_field, i) => found[i]!.confidence < SURE);
  const instructions =
    'Find the values of these fields in the document and answer them as they are printed, each with the page it ' +
    'stands on and a short quotation: a line of that page, word for word, that holds the value. Leave out fields ' +
    'that the document does not hold. Fields: ' +
    `${JSON.stringify(open.map(({ name, type, description }) => ({ name, type, description })))}`;
  const text = pagesForModel(evidence.texts, model.limits, instructions);
  if (open.length === 0 || text.trim() === '') return [...found];
  const answer = await model.ask({
    instructions,
    text,
    answer: {
      name: 'fields',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['fields'],
        properties: {
          fields: {
            type: 'array',
            maxItems: 200,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['name', 'value', 'page', 'quotation'],
              properties: {
                name: { type: 'string' },
                value: { type: 'string' },
                page: { type: 'integer' },
                quotation: { type: 'string' },
              },
            },
          },
        },
      },
    },
  });
  const proposals = new Map(
    (answer as { fields: { name: string; value: string; page: number; quotation: string }[] }).fields.map((one) => [
      one.name,
      one,
    ]),
  );
  const locale = localeOf(evidence.texts.join('\n'));
  return fields.map((field, i): FoundField => {
    const known = found[i]!;
    const proposed = proposals.get(field.name);
    if (proposed === undefined || known.confidence >= SURE) return known;
    const { page, quotation, value: printed } = proposed;
    const value = typedValue(printed, field.type, locale);
    if (
      value === undefined ||
      !isOnPage(quotation, evidence.texts[page - 1]) ||
      !isWithin(printed, value, field.type, quotation)
    )
      return known;
    const place =
      evidence.snippets.find((snippet) => snippet.page === page && contains(snippet.text, printed)) ??
      evidence.snippets.find((snippet) => snippet.page === page && contains(snippet.text, quotation));
    return foundField(field, { value, score: 0.8, source: 'model', at: { page, text: quotation, box: place?.box } });
  });
}

const squeezed = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
const contains = (text: string, part: string): boolean =>
  squeezed(part) !== '' && squeezed(text).includes(squeezed(part));

/** True when the page holds the quotation, word for word. */
export function isOnPage(quotation: string, page: string | undefined): boolean {
  return page !== undefined && contains(page, quotation);
}

function isWithin(printed: string, value: FieldValue, type: WantedField['type'], quotation: string): boolean {
  if (Array.isArray(value)) return (value as readonly string[]).every((item) => holdsWhole(quotation, item));
  if (typeof value === 'boolean' || holdsWhole(quotation, printed)) return true;
  // Punctuation may differ, but not that of numbers.
  return (
    type !== 'number' &&
    type !== 'currency' &&
    plainName(printed) !== '' &&
    ` ${plainName(quotation)} `.includes(` ${plainName(printed)} `)
  );
}

/** True if the words are in the text and not part of a longer number. */
function holdsWhole(text: string, part: string): boolean {
  const [whole, wanted] = [squeezed(text), squeezed(part)];
  if (wanted === '') return false;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, behind] = [
      whole.slice(Math.max(0, at - 2), at),
      whole.slice(at + wanted.length, at + wanted.length + 2),
    ];
    if (
      !(/^\p{Nd}/u.test(wanted) && /\p{Nd}[.,'’]?$/u.test(before)) &&
      !(/\p{Nd}$/u.test(wanted) && /^[.,'’]?\p{Nd}/u.test(behind))
    )
      return true;
  }
  return false;
}
