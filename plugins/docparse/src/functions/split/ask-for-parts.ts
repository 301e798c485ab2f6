import { type Model, pagesForModel } from '../fields/ask-model.js';
import type { PlannedPart } from './plan-parts.js';

/**
 * Lets a model say which pages belong together. What it says is checked: ranges must lie in the document, in order, none twice; others are left out. None for a document without text.
 */
export async function askForParts(rule: string, texts: readonly string[], maxParts: number, model: Model): Promise<PlannedPart[]> {
  const text = pagesForModel(texts, model.limits);
  if (text.trim() === '') return [];
  const answer = await model.ask({
    instructions: `Split a document of ${texts.length} pages into parts by this rule: ${JSON.stringify(rule)}. Answer at most ${maxParts} parts, each with a short title, its first and its last page. Parts do not overlap. Answer none if the rule fits nothing in it.`,
    text,
    answer: {
      name: 'parts',
      schema: {
        type: 'object', additionalProperties: false, required: ['parts'],
        properties: {
          parts: {
            type: 'array', maxItems: 500,
            items: { type: 'object', additionalProperties: false, required: ['title', 'firstPage', 'lastPage'], properties: { title: { type: 'string' }, firstPage: { type: 'integer' }, lastPage: { type: 'integer' } } },
          },
        },
      },
    },
  });
  let next = 1;
  return (answer as { parts: { title: string; firstPage: number; lastPage: number }[] }).parts.flatMap(({ title, firstPage, lastPage }): PlannedPart[] => {
    if (firstPage < next || lastPage < firstPage || lastPage > texts.length) return [];
    next = lastPage + 1;
    return [{ title: title.slice(0, 100), pages: Array.from({ length: lastPage - firstPage + 1 }, (_unused, i) => firstPage - 1 + i) }];
  });
}
