import type { Ask } from '../model-use.js';
import { markedText, type PageText, portionsOf, type TextBudget } from '../texts/page-texts.js';

/** A comment of the model, cleaned but not believed: its quotation may be nowhere. */
export interface ModelComment {
  /** As the model has it, 1-based. */
  readonly page: number;
  readonly quotation: string;
  readonly text: string;
}

export interface ModelComments {
  readonly comments: readonly ModelComment[];
  readonly rationale?: string;
}

/** Comments in all, and letters of one. */
const MOST_COMMENTS = 500;
const LONGEST_COMMENT = 4000;
const LONGEST_RATIONALE = 500;
/** Questions for one document: more text is refused. */
const MOST_QUESTIONS = 20;

const GUIDE =
  'You review a document for its reader. Its text follows, page by page. Write the sticky notes that the ' +
  'request asks for, in its language: for each note the number of the page, a short quotation of that page ' +
  'word for word (5 to 25 words, the passage that the note is about) and the text of the note. Write none ' +
  'where nothing is to be said. In `rationale` say in one or two sentences how you went about it.\n\nThe ' +
  'request: ';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['comments', 'rationale'],
  properties: {
    comments: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['page', 'quote', 'comment'],
        properties: {
          page: { type: 'integer', description: 'Number of the page' },
          quote: { type: 'string', description: 'Words of that page, unchanged' },
          comment: { type: 'string' },
        },
      },
    },
    rationale: { type: 'string' },
  },
};

interface Answer {
  readonly comments: readonly { readonly page: number; readonly quote: string; readonly comment: string }[];
  readonly rationale: string;
}

/** Length of the instructions for a request. */
export function guideLength(prompt: string): number {
  return GUIDE.length + prompt.length;
}

/**
 * Asks for notes on pages, portion by portion where they are longer than one question may be. Undefined when they are
 * longer than all questions together.
 */
export async function askComments(
  pages: readonly PageText[],
  prompt: string,
  budget: TextBudget,
  ask: Ask,
  progress: (done: number, total: number) => void,
): Promise<ModelComments | undefined> {
  const portions = portionsOf(pages, { pages: budget.pages, characters: budget.characters - guideLength(prompt) });
  if (portions.length > MOST_QUESTIONS || portions.length === 0) return undefined;
  const comments: ModelComment[] = [];
  let rationale = '';
  for (const [done, portion] of portions.entries()) {
    const answer = (await ask({
      feature: 'pdfComment',
      tier: 'smart',
      instructions: `${GUIDE}${prompt}`,
      text: markedText(portion),
      answer: { name: 'pdf_comments', schema },
    })) as Answer;
    for (const { page, quote, comment } of answer.comments)
      comments.push({ page, quotation: plain(quote), text: plain(comment).slice(0, LONGEST_COMMENT) });
    if (rationale === '') rationale = plain(answer.rationale).replace(/\s+/g, ' ').slice(0, LONGEST_RATIONALE);
    progress(done + 1, portions.length);
  }
  return {
    comments: comments.filter(({ text }) => text !== '').slice(0, MOST_COMMENTS),
    ...(rationale === '' ? {} : { rationale }),
  };
}

/** Without control characters but line ends. */
function plain(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .trim();
}
