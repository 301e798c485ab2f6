import { askDocument } from '../create/ask-document.js';
import type { Ask } from '../model-use.js';
import type { Turn } from './ask-answer.js';
import { addresses, outcome, type Outcome } from './outcome.js';
import type { QuestionReading, QuestionText } from './read-for-question.js';

export interface WritingTools {
  readonly limits: { readonly pages: number; readonly characters: number };
  readonly ask: Ask;
  read(reading: Omit<QuestionReading, 'paths'>): Promise<QuestionText>;
  readonly fileNames: readonly string[];
}

const GUIDE =
  'You write the text that the request asks for, as Markdown, in the language of the request, complete and ' +
  'ready to be used. Documents that the user sent may follow: use what they say, and invent no facts about ' +
  'people, amounts or dates; leave a blank such as `[date]` for what is not known.';
const LEAST_TEXT = 200;

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['content', 'summary'],
  properties: {
    content: { type: 'string', description: 'The text, as Markdown' },
    summary: { type: 'string', description: 'One sentence that says what was written' },
  },
};

/** Writes a text, of the documents where some were sent. */
export async function draftText(userMessage: string, history: readonly Turn[], tools: WritingTools): Promise<Outcome> {
  const instructions = `${GUIDE}\n\nThe request: ${userMessage}`;
  const text = await textFor(userMessage, instructions.length, history, tools);
  const { content, summary } = (await tools.ask({
    feature: 'chat',
    tier: 'smart',
    instructions,
    text,
    history,
    answer: { name: 'draft', schema },
  })) as { readonly content: string; readonly summary: string };
  if (content.trim() === '') return outcome('cannot_do', { reason: 'The model wrote nothing.' });
  return outcome('draft', { content: content.trim(), ...(summary.trim() === '' ? {} : { summary: summary.trim() }) });
}

/** Writes a document of the model that `create-pdf-from-html-agent` lays out. */
export async function draftFile(userMessage: string, history: readonly Turn[], tools: WritingTools): Promise<Outcome> {
  const document = await askDocument(
    {
      request: userMessage,
      history,
      text: await textFor(userMessage, userMessage.length + 4000, history, tools),
      unknown: 'gap',
    },
    tools.ask,
  );
  if ((document.sections ?? []).length === 0) return outcome('cannot_do', { reason: 'The model wrote nothing.' });
  const [content, filename] = [JSON.stringify(document), nameOf(document.title)];
  return outcome('generate_file', {
    content,
    filename,
    summary: document.title ?? null,
    tool: addresses.create,
    parameters: { document: content, filename },
    resumeWith: addresses.create,
  });
}

/** A file name of a title. */
function nameOf(title: string | null | undefined): string {
  const name = (title ?? '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80);
  return `${name === '' ? 'generated-document' : name}.pdf`;
}

/** Text of the documents that fits. */
async function textFor(
  question: string,
  used: number,
  history: readonly Turn[],
  { limits, fileNames, read }: WritingTools,
): Promise<string> {
  const characters = limits.characters - used - history.reduce((sum, { content }) => sum + content.length, 0);
  if (fileNames.length === 0 || characters < LEAST_TEXT) return '(no documents)';
  const { pages } = await read({ question, pages: limits.pages, characters });
  return pages.length === 0
    ? '(the documents have no text)'
    : pages.map(({ file, page, text }) => `[file ${file + 1}, page ${page}]\n${text}`).join('\n\n');
}
