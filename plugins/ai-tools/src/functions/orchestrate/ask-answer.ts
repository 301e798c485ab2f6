import type { Ask } from '../model-use.js';
import { addresses, type NeededContent, outcome, type Outcome } from './outcome.js';
import type { Quoted, QuestionReading, QuestionText } from './read-for-question.js';

export interface AnswerTools {
  readonly limits: { readonly pages: number; readonly characters: number };
  readonly ask: Ask;
  read(reading: Omit<QuestionReading, 'paths'>): Promise<QuestionText>;
  hold(quoted: readonly Quoted[]): Promise<readonly Quoted[]>;
  /**
   * Looks in the index for passages of documents that were too long to be read whole; undefined where that is of no
   * use.
   */
  lookUp?(question: string, text: QuestionText): Promise<Outcome | undefined>;
  readonly fileNames: readonly string[];
}

/** A turn of the conversation before. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Smallest space for documents in a question, in characters. */
export const LEAST_TEXT = 200;
/** Quotations of one answer. */
export const MOST_EVIDENCE = 20;

const GUIDE =
  'You answer a question about documents, from their text alone, which follows page by page. Set `found` to ' +
  'false when it does not tell. Answer in the language of the question. As `evidence` quote the passages that ' +
  'the answer rests on, word for word (5 to 40 words each, at most 8), each with the numbers of its file and ' +
  'page; every statement of the answer needs one.';

/** Schema of `Answer`. */
export const answerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['found', 'answer', 'evidence'],
  properties: {
    found: { type: 'boolean', description: 'Whether the documents answer the question' },
    answer: { type: 'string', description: 'The answer; why there is none where found is false' },
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'page', 'quote'],
        properties: {
          file: { type: 'integer', description: 'Number of the file' },
          page: { type: 'integer', description: 'Number of the page' },
          quote: { type: 'string' },
        },
      },
    },
  },
};

/** An answer of the model. */
export interface Answer {
  readonly found: boolean;
  readonly answer: string;
  readonly evidence: readonly { readonly file: number; readonly page: number; readonly quote: string }[];
}

/** Answers a question about documents; what the answer rests on was looked up in them. */
export async function askAnswer(userMessage: string, history: readonly Turn[], tools: AnswerTools): Promise<Outcome> {
  const { limits, fileNames } = tools;
  const instructions = `${GUIDE}\n\nThe question: ${userMessage}`;
  const before = history.reduce((sum, { content }) => sum + content.length, 0);
  const characters = limits.characters - instructions.length - before;
  if (characters < LEAST_TEXT)
    return outcome('cannot_do', {
      reason: 'The message and the conversation leave no space for the documents.',
      maxCharacters: limits.characters,
    });
  const asked = [
    ...history
      .filter(({ role }) => role === 'user')
      .slice(-1)
      .map(({ content }) => content),
    userMessage,
  ].join('\n');
  const read = await tools.read({ question: asked, pages: limits.pages, characters });
  const { pages, whole } = read;
  const unread = withoutText(read, fileNames);
  if (pages.length === 0) return needText(unread);
  const text = pages.map(({ file, page, text: shown }) => `[file ${file + 1}, page ${page}]\n${shown}`).join('\n\n');
  const { found, answer, evidence } = (await tools.ask({
    feature: 'documentQuestions',
    tier: 'smart',
    instructions,
    text,
    history,
    answer: { name: 'document_answer', schema: answerSchema },
  })) as Answer;
  const partly = whole
    ? {}
    : { report: { pagesRead: pages.length }, maxPages: limits.pages, maxCharacters: limits.characters };
  if (!found || answer.trim() === '') {
    const reason = answer.trim() === '' ? 'The documents do not say.' : answer.trim();
    return (
      (whole ? undefined : await tools.lookUp?.(asked, read)) ??
      outcome('not_found', { reason, files: unread, ...partly })
    );
  }
  const quoted = evidence
    .slice(0, MOST_EVIDENCE)
    .map(({ file, page, quote }) => ({ file: fileNames.length === 1 ? 0 : file - 1, page, text: quote.trim() }))
    .filter(({ file }) => file >= 0 && file < fileNames.length);
  const held = await tools.hold(quoted);
  if (held.length === 0)
    return outcome('not_found', {
      reason: 'The answer that the model gave could not be traced to any page of the documents.',
      files: unread,
      ...partly,
    });
  return outcome('answer', {
    answer: answer.trim(),
    ...partly,
    evidence: held.map(({ file, page, text: words }) => ({
      pageNumber: page,
      text: words,
      ...(fileNames.length > 1 ? { fileName: fileNames[file] ?? '' } : {}),
    })),
  });
}

/** Files with pages that have no text. */
function withoutText({ ids, blank }: QuestionText, fileNames: readonly string[]): NeededContent[] {
  return blank.flatMap((pageNumbers, file) =>
    pageNumbers.length === 0
      ? []
      : [{ file: { id: ids[file] ?? '', name: fileNames[file] ?? '' }, pageNumbers, contentTypes: ['text'] }],
  );
}

function needText(files: readonly NeededContent[]): Outcome {
  return outcome('need_content', {
    files,
    reason:
      'The documents have no text that can be read; recognise that of scanned pages first ' +
      `(${addresses.recognise}).`,
    tool: addresses.recognise,
    parameters: { ocrType: 'skip-text' },
    resumeWith: addresses.orchestrate,
  });
}

/** The last turns of a conversation that fit in a part of what a question may hold. */
export function recentTurns(history: readonly Turn[], characters: number): Turn[] {
  const recent: Turn[] = [];
  let left = characters;
  for (const turn of [...history].reverse().slice(0, 20)) {
    left -= turn.content.length;
    if (left < 0) break;
    recent.unshift(turn);
  }
  return recent;
}
