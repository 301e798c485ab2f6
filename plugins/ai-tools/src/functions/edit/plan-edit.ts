import { type FieldFault, InputError } from '@quire/registry/errors';
import type { Ask } from '../model-use.js';
import type { Turn } from '../orchestrate/ask-answer.js';
import { askIntent, askPlan, type OfferedOperation, type PlannedStep } from '../orchestrate/ask-plan.js';

/** A request for a plan, read from a body whose members engines name differently. */
export interface EditRequest {
  readonly userMessage: string;
  readonly history: readonly Turn[];
  readonly fileNames: readonly string[];
}

/** A plan, or the reason why there is none. */
export type EditPlan =
  | { readonly outcome: 'plan'; readonly summary: string; readonly steps: readonly PlannedStep[] }
  | { readonly outcome: 'need_clarification'; readonly question: string }
  | { readonly outcome: 'cannot_do'; readonly reason: string };

export interface EditTools {
  readonly operations: readonly OfferedOperation[];
  readonly ask: Ask;
  /** Everything that is wrong with steps; empty when they can run. */
  readonly check: (steps: readonly PlannedStep[]) => readonly FieldFault[];
}

const LONGEST_MESSAGE = 20_000;
const MOST_TURNS = 50;
const MOST_FAULTS = 8;

/**
 * Reads a request; members are named as in `ai/orchestrate`, or with underscores. Throws INPUT_INVALID that names what
 * is missing or wrong.
 */
export function readEditRequest(body: Readonly<Record<string, unknown>>): EditRequest {
  const member = (...names: readonly string[]): unknown =>
    names.map((name) => body[name]).find((value) => value !== undefined && value !== null);
  const refuse = (field: string, detail: string): never => {
    throw new InputError('INPUT_INVALID', { detail: `"${field}" ${detail}` }, [{ pointer: `/${field}`, detail }]);
  };
  const message = member('user_message', 'userMessage', 'message', 'prompt');
  if (typeof message !== 'string' || message.trim() === '' || message.length > LONGEST_MESSAGE)
    return refuse('user_message', `must be a text of 1 to ${LONGEST_MESSAGE} characters`);
  const history = member('conversation_history', 'conversationHistory') ?? [];
  if (!Array.isArray(history)) return refuse('conversation_history', 'must be a list of turns with role and content');
  const turns = history.slice(-MOST_TURNS).map((turn: unknown): Turn => {
    const { role, content } = (turn ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    if ((role !== 'user' && role !== 'assistant') || typeof content !== 'string')
      return refuse('conversation_history', 'must be a list of turns, each with role (user or assistant) and content');
    return { role, content };
  });
  const files = member('file_names', 'fileNames', 'files') ?? [];
  if (!Array.isArray(files) || files.length > 100) return refuse('file_names', 'must be a list of at most 100 names');
  const fileNames = files.map((file: unknown) => {
    const name = typeof file === 'string' ? file : (file as { readonly name?: unknown } | null)?.name;
    return typeof name === 'string' ? name.slice(0, 200) : refuse('file_names', 'must be a list of names');
  });
  return { userMessage: message.trim(), history: turns.filter(({ content }) => content.trim() !== ''), fileNames };
}

/**
 * Has the model plan steps that do what is asked for. They are checked like a pipeline of a client before they are
 * given; nothing is run.
 */
export async function planEdit(
  { userMessage, history, fileNames }: EditRequest,
  { operations, ask, check }: EditTools,
): Promise<EditPlan> {
  const { intent, operations: named, words } = await askIntent(userMessage, history, fileNames, operations, ask);
  if (intent === 'need_clarification')
    return { outcome: 'need_clarification', question: words === '' ? 'What is to be done?' : words };
  if (intent === 'cannot_do')
    return { outcome: 'cannot_do', reason: words === '' ? 'No operation of this server does that.' : words };
  if (intent !== 'plan')
    return {
      outcome: 'cannot_do',
      reason: 'This is a question about documents; send it with them to /api/v1/ai/orchestrate.',
    };
  const chosen = operations.filter(({ operation }) => named.includes(operation));
  if (chosen.length === 0)
    return { outcome: 'cannot_do', reason: 'No operation of this server was found that does that.' };
  let faults: readonly string[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { steps, summary } = await askPlan(userMessage, history, fileNames, chosen, faults, ask);
    const wrong = steps.length === 0 ? [{ pointer: '/pipeline', detail: 'has no step' }] : check(steps);
    if (wrong.length === 0) return { outcome: 'plan', summary, steps };
    faults = wrong.slice(0, MOST_FAULTS).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  }
  return { outcome: 'cannot_do', reason: `The steps that were planned cannot run: ${faults.join('; ')}` };
}
