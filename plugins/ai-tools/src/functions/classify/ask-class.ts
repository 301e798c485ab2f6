import { InputError } from '@quire/registry/errors';
import type { Ask } from '../model-use.js';
import { cutPage, markedLength, markedText, type PageText, type TextBudget } from '../texts/page-texts.js';
import { type DocumentClass, vocabulary } from './vocabulary.js';

/** The label of a document, as it is stored. */
export interface Classification extends DocumentClass {
  /** 0 to 1, as the model has it. */
  readonly confidence: number;
}

/** Characters that are enough to classify a document. */
const ENOUGH = 24_000;

const GUIDE =
  'You tell what kind of document this is. Its first and its last pages follow. Choose the one kind that fits ' +
  `best, "other" where none does, and say from 0 to 1 how sure you are.\n\nThe kinds:\n` +
  `${vocabulary.map(({ id, name }) => `${id}: ${name}`).join('\n')}`;

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'confidence'],
  properties: {
    id: { type: 'string', enum: vocabulary.map(({ id }) => id) },
    confidence: { type: 'number', description: '0 to 1' },
  },
};

/** The first two and the last two of so many pages (0-based). */
export function tellingPages(count: number): number[] {
  return [...new Set([0, 1, count - 2, count - 1])].filter((page) => page >= 0 && page < count).sort((a, b) => a - b);
}

/**
 * Asks for the class of a document with these pages. Each page gets its share of the question's size. Throws
 * INPUT_TEXT_TOO_LONG if no page fits.
 */
export async function askClass(pages: readonly PageText[], budget: TextBudget, ask: Ask): Promise<Classification> {
  const shown = fitting(pages.slice(0, budget.pages), Math.min(ENOUGH, budget.characters - GUIDE.length));
  if (shown.length === 0)
    throw new InputError('INPUT_TEXT_TOO_LONG', {
      found: GUIDE.length + pages.reduce((sum, { text }) => sum + text.length, 0),
      limit: budget.characters,
    });
  const { id, confidence } = (await ask({
    feature: 'classify',
    tier: 'fast',
    instructions: GUIDE,
    text: markedText(shown),
    answer: { name: 'document_class', schema },
  })) as { id: string; confidence: number };
  const name = vocabulary.find((one) => one.id === id)?.name ?? id;
  return { id, name, confidence: Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000 };
}

/** The shortest pages first take what they need; the longer ones share what is left. */
function fitting(pages: readonly PageText[], characters: number): PageText[] {
  let [left, open] = [characters, pages.length];
  const cut = new Map<number, PageText>();
  for (const page of [...pages].sort((a, b) => a.text.length - b.text.length)) {
    const short = cutPage(page, Math.floor(left / open--));
    if (short === undefined) continue;
    cut.set(page.page, short);
    left -= markedLength(short);
  }
  return pages.flatMap(({ page }) => cut.get(page) ?? []);
}
