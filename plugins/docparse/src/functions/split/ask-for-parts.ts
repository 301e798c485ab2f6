import { InputError } from '@quire/registry/errors';
import { MAX_CHARACTERS, type Model, pagesForModel } from '../fields/ask-model.js';
import type { Evidence } from '../fields/read-evidence.js';
import type { PlannedPart } from './plan-parts.js';

/**
 * Asks a model which pages belong together. The answer is checked: ranges must be in the document, in order and without
 * overlap; others are ignored. Returns nothing for a document without text. Throws INPUT_TOO_MANY_PAGES and
 * INPUT_TEXT_TOO_LONG for a document that does not fit into one question, because the model must see all pages.
 */
export async function askForParts(
  rule: string,
  { texts, pages }: Pick<Evidence, 'texts' | 'pages'>,
  maxParts: number,
  model: Model,
): Promise<PlannedPart[]> {
  if (texts.every((text) => text.trim() === '')) return [];
  if (pages > Math.min(texts.length, model.limits.pages))
    throw new InputError('INPUT_TOO_MANY_PAGES', { found: pages, limit: Math.min(texts.length, model.limits.pages) });
  const instructions =
    `Split a document of ${texts.length} pages into parts by this rule: ${JSON.stringify(rule)}. Answer at most ` +
    `${maxParts} parts, each with a short title, its first and its last page. Parts do not overlap. Answer none ` +
    'if the rule fits nothing in it.';
  const text = pagesForModel(texts, model.limits, instructions);
  const length = texts.reduce((sum, page, i) => sum + `[page ${i + 1}]\n${page}\n`.length, 0);
  if (text.length < length)
    throw new InputError('INPUT_TEXT_TOO_LONG', {
      found: instructions.length + length,
      limit: Math.min(model.limits.characters, MAX_CHARACTERS),
    });
  const answer = await model.ask({
    instructions,
    text,
    answer: {
      name: 'parts',
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['parts'],
        properties: {
          parts: {
            type: 'array',
            maxItems: 500,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['title', 'firstPage', 'lastPage'],
              properties: { title: { type: 'string' }, firstPage: { type: 'integer' }, lastPage: { type: 'integer' } },
            },
          },
        },
      },
    },
  });
  let next = 1;
  return (answer as { parts: { title: string; firstPage: number; lastPage: number }[] }).parts.flatMap(
    ({ title, firstPage, lastPage }): PlannedPart[] => {
      if (firstPage < next || lastPage < firstPage || lastPage > texts.length) return [];
      next = lastPage + 1;
      return [
        {
          title: title.slice(0, 100),
          pages: Array.from({ length: lastPage - firstPage + 1 }, (_unused, i) => firstPage - 1 + i),
        },
      ];
    },
  );
}
