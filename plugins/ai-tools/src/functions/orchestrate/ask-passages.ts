import type { Ask } from '../model-use.js';
import { type Answer, answerSchema, LEAST_TEXT, MOST_EVIDENCE, type Turn } from './ask-answer.js';
import { outcome, type Outcome } from './outcome.js';

/** A passage that was found in the index of documents. */
export interface Passage {
  readonly documentName: string;
  readonly text: string;
  /** 1-based. */
  readonly pageStart: number;
}

const GUIDE =
  'You answer a question about documents, from the passages of them alone that follow, each with its number. ' +
  'Set `found` to false when they do not tell. Answer in the language of the question. As `evidence` quote ' +
  'what the answer rests on, word for word (5 to 40 words each, at most 8), each with the number of its ' +
  'passage as `file` and the number of its page; every statement of the answer needs one.';

/**
 * Answers a question from passages; quotations are looked up in them. Undefined if they do not answer it, or none fits.
 */
export async function askPassages(
  userMessage: string,
  history: readonly Turn[],
  passages: readonly Passage[],
  characters: number,
  ask: Ask,
): Promise<Outcome | undefined> {
  const instructions = `${GUIDE}\n\nThe question: ${userMessage}`;
  let left = characters - instructions.length - history.reduce((sum, { content }) => sum + content.length, 0);
  if (left < LEAST_TEXT) return undefined;
  const shown = passages.flatMap(({ documentName, pageStart, text }, i) => {
    const marked = `[passage ${i + 1}, page ${pageStart} of ${documentName}]\n${text}`;
    left -= marked.length + 2;
    return left < 0 ? [] : [{ number: i + 1, marked }];
  });
  if (shown.length === 0) return undefined;
  const { found, answer, evidence } = (await ask({
    feature: 'documentQuestions',
    tier: 'smart',
    instructions,
    text: shown.map(({ marked }) => marked).join('\n\n'),
    history,
    answer: { name: 'document_answer', schema: answerSchema },
  })) as Answer;
  if (!found || answer.trim() === '') return undefined;
  const held = evidence.slice(0, MOST_EVIDENCE).flatMap(({ file, quote }) => {
    const passage = shown.some(({ number }) => number === file) ? passages[file - 1] : undefined;
    const words = wordsOf(quote);
    return passage === undefined || words.length < 2 || !wordsOf(passage.text).includes(words)
      ? []
      : [{ pageNumber: passage.pageStart, text: quote.trim(), fileName: passage.documentName }];
  });
  return held.length === 0 ? undefined : outcome('answer', { answer: answer.trim(), evidence: held });
}

/** Letters and digits of a text with single blanks, in one case: Markdown and line ends are nothing of it. */
function wordsOf(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}
