import type { Ask } from '../model-use.js';
import type { Turn } from './ask-answer.js';

/** An operation that a plan may hold, as `tokens.pipelineRuns` gives it. */
export interface OfferedOperation {
  /** Full path. */
  readonly operation: string;
  readonly summary: string;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly description?: string;
    readonly allowed?: readonly unknown[];
    readonly least?: number;
    readonly most?: number;
    readonly default?: unknown;
  }[];
}

/** Kinds of requests. */
export type IntentName = 'answer' | 'plan' | 'draft' | 'create' | 'need_clarification' | 'cannot_do';

export interface Intent {
  readonly intent: IntentName;
  /** Paths of the operations that are needed; all of them are offered. */
  readonly operations: readonly string[];
  /** The question back, or why it cannot be done. */
  readonly words: string;
}

/** A step that the model proposes: checked like one of a client before it runs. */
export interface PlannedStep {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string | readonly string[]>>;
}

/** Steps of one plan. */
const MOST_STEPS = 12;
const MOST_CHOSEN = 12;
const LONGEST_WORDS = 2000;

/** Description of each kind for the model. */
const KINDS: Readonly<Record<IntentName, string>> = {
  answer: 'a question about what the uploaded documents say, or about their contents in any way.',
  plan:
    'something is to be done to the uploaded files that some of the operations below can do; name these ' +
    'operations.',
  draft: 'a text is to be written (a letter, a summary, a translation) that is wanted as words, not as a file.',
  create: 'a new document is to be made as a file (an invoice, a report, a form).',
  need_clarification:
    'it cannot be told what is wanted, or a value is missing that only the user knows; ask in `words`.',
  cannot_do: 'none of this and none of the operations does it; say why in `words`.',
};

const intentGuide = (kinds: readonly IntentName[]): string =>
  'You are the assistant of a server that works on PDF documents. Decide what the request of the user asks ' +
  `for. ${kinds.map((kind) => `\`${kind}\`: ${KINDS[kind]}`).join(' ')} Write \`words\` in the language of the ` +
  `request. Never promise what no operation does.\n\nThe operations:\n`;

const PLAN_GUIDE =
  'You make a plan of operations on PDF files that does what the request asks for: steps in their order, each ' +
  'with an operation below and the parameters that differ from their defaults, values as text (true, false, ' +
  'numbers and lists with commas as text too). Every step gets the files of the step before. In `summary` say ' +
  'in one sentence, in the language of the request, what is done.\n\nThe operations:\n';

const intentSchema = (kinds: readonly IntentName[]): object => ({
  type: 'object',
  additionalProperties: false,
  required: ['intent', 'operations', 'words'],
  properties: {
    intent: { type: 'string', enum: kinds },
    operations: { type: 'array', items: { type: 'string' }, description: 'Full paths; empty unless intent is plan' },
    words: { type: 'string' },
  },
});

/** Kinds of requests that need no more than the model and the operations. */
const USUAL: readonly IntentName[] = ['answer', 'plan', 'need_clarification', 'cannot_do'];

/**
 * Asks the model for the kind of a request; `more`: further kinds beside question and plan. Of the files only names are
 * sent.
 */
export async function askIntent(
  userMessage: string,
  history: readonly Turn[],
  fileNames: readonly string[],
  operations: readonly OfferedOperation[],
  ask: Ask,
  more: readonly ('draft' | 'create')[] = [],
): Promise<Intent> {
  const kinds = [...more, ...USUAL];
  const list = operations.map(({ operation, summary }) => `${operation}: ${summary}`).join('\n');
  const {
    intent,
    operations: named,
    words,
  } = (await ask({
    feature: 'chat',
    tier: 'fast',
    instructions: `${intentGuide(kinds)}${list}\n\nThe request: ${userMessage}`,
    text: namesOf(fileNames),
    history,
    answer: { name: 'intent', schema: intentSchema(kinds) },
  })) as Intent;
  const offered = new Set(operations.map(({ operation }) => operation));
  return {
    intent,
    operations: [...new Set(named)].filter((path) => offered.has(path)).slice(0, MOST_CHOSEN),
    words: words.trim().slice(0, LONGEST_WORDS),
  };
}

/** Asks for the steps of a plan; `faults` are those of the plan before. */
export async function askPlan(
  userMessage: string,
  history: readonly Turn[],
  fileNames: readonly string[],
  operations: readonly OfferedOperation[],
  faults: readonly string[],
  ask: Ask,
): Promise<{ readonly steps: readonly PlannedStep[]; readonly summary: string }> {
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: ['steps', 'summary'],
    properties: {
      steps: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['operation', 'parameters'],
          properties: {
            operation: { type: 'string', enum: operations.map(({ operation }) => operation) },
            parameters: {
              type: 'array',
              items: {
                type: 'object',
                additionalProperties: false,
                required: ['name', 'value'],
                properties: { name: { type: 'string' }, value: { type: 'string' } },
              },
            },
          },
        },
      },
      summary: { type: 'string' },
    },
  };
  const again =
    faults.length === 0 ? '' : `\n\nAn earlier plan could not run:\n${faults.join('\n')}\nMake one that can.`;
  const instructions = `${PLAN_GUIDE}${operations.map(describe).join('\n')}\n\nThe request: ${userMessage}${again}`;
  const { steps, summary } = (await ask({
    feature: 'chat',
    tier: 'smart',
    instructions,
    text: namesOf(fileNames),
    history,
    answer: { name: 'plan', schema },
  })) as {
    steps: readonly { operation: string; parameters: readonly { name: string; value: string }[] }[];
    summary: string;
  };
  return {
    steps: steps
      .slice(0, MOST_STEPS)
      .map(({ operation, parameters }) => ({ operation, parameters: gathered(parameters) })),
    summary: summary.trim().slice(0, LONGEST_WORDS),
  };
}

/** A name that comes several times is a list. */
function gathered(parameters: readonly { readonly name: string; readonly value: string }[]): PlannedStep['parameters'] {
  const values = new Map<string, string[]>();
  for (const { name, value } of parameters) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0]! : list]));
}

function namesOf(fileNames: readonly string[]): string {
  return fileNames.length === 0
    ? '(no files)'
    : `Names of the uploaded files:\n${fileNames.map((name, i) => `${i + 1}. ${name}`).join('\n')}`;
}

function describe({ operation, summary, fields }: OfferedOperation): string {
  const lines = fields.map(({ name, type, required, allowed, least, most, default: usual, description }) => {
    const facts = [
      type,
      ...(required ? ['required'] : []),
      ...(allowed === undefined ? [] : [`one of ${allowed.map(String).join(' | ')}`]),
      ...(least === undefined ? [] : [`at least ${least}`]),
      ...(most === undefined ? [] : [`at most ${most}`]),
      ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
    ];
    return `  ${name} (${facts.join(', ')})${description === undefined ? '' : `: ${description}`}`;
  });
  return [`${operation}: ${summary}`, ...lines].join('\n');
}
