import { errorRow, type FieldFault, isQuireError, OperationalError, type QuireError } from '@quire/registry/errors';
import type { Ask } from '../model-use.js';
import { askAnswer, type AnswerTools, recentTurns, type Turn } from './ask-answer.js';
import { askPassages, type Passage } from './ask-passages.js';
import { askIntent, askPlan, type OfferedOperation, type PlannedStep } from './ask-plan.js';
import { addresses, outcome, type Outcome, type ResultFile } from './outcome.js';
import type { QuestionText } from './read-for-question.js';
import { draftFile, draftText } from './write-new.js';

/** Where a request stands. */
export interface Progress {
  readonly phase: 'analyzing' | 'calling_engine' | 'extracting_content' | 'executing_tool' | 'processing';
  readonly tool?: string;
  /** 0-based. */
  readonly stepIndex?: number;
  readonly stepCount?: number;
}

/** A request, checked. */
export interface OrchestrateRequest {
  readonly userMessage: string;
  readonly history: readonly Turn[];
  readonly fileNames: readonly string[];
}

export interface OrchestrateTools extends Pick<AnswerTools, 'read' | 'hold' | 'limits'> {
  usable(feature: 'chat' | 'documentQuestions' | 'createPdf'): boolean;
  readonly ask: Ask;
  /** Operations that a plan may use. */
  operations(): readonly OfferedOperation[];
  check(steps: readonly PlannedStep[]): readonly FieldFault[];
  run(
    steps: readonly PlannedStep[],
    onStep: (index: number, operation: string) => void,
  ): Promise<readonly ResultFile[]>;
  /**
   * Searches the caller's indexed documents, or one document by id; undefined if there is no index or the search limit
   * is reached.
   */
  search(query: string, documentId?: string): Promise<readonly Passage[] | undefined>;
  progress(at: Progress): void;
}

/** Part of what a question may hold that the conversation before may take. */
const HISTORY_SHARE = 0.25;
const MOST_FAULTS = 8;

/**
 * Runs a request: a question is answered from the documents; an action is planned, checked and run. The model only
 * contributes values: paths and parameters are checked against the offered operations, quotations against the
 * documents. Rejects like the tools; a refusal of a step is an outcome.
 */
export async function orchestrate(
  { userMessage, history, fileNames }: OrchestrateRequest,
  tools: OrchestrateTools,
): Promise<Outcome> {
  const turns = recentTurns(history, tools.limits.characters * HISTORY_SHARE);
  const ask: Ask = (question) => {
    tools.progress({ phase: 'calling_engine' });
    return tools.ask(question);
  };
  tools.progress({ phase: 'analyzing' });
  const operations = tools.usable('chat') ? tools.operations() : [];
  const more = tools.usable('createPdf') ? (['draft', 'create'] as const) : (['draft'] as const);
  const {
    intent,
    operations: named,
    words,
  } = tools.usable('chat')
    ? await askIntent(userMessage, turns, fileNames, operations, ask, more)
    : { intent: 'answer' as const, operations: [], words: '' };
  switch (intent) {
    case 'need_clarification':
      return outcome('need_clarification', {
        question: words === '' ? 'What is to be done, and with which document?' : words,
        resumeWith: addresses.orchestrate,
      });
    case 'cannot_do':
      return outcome('cannot_do', { reason: words === '' ? 'No operation of this server does that.' : words });
    case 'plan':
      return carryOut(
        userMessage,
        turns,
        fileNames,
        operations.filter(({ operation }) => named.includes(operation)),
        ask,
        tools,
      );
    case 'answer':
      return answer(userMessage, turns, fileNames, ask, tools);
    default:
      if (fileNames.length > 0) tools.progress({ phase: 'extracting_content' });
      return (intent === 'draft' ? draftText : draftFile)(userMessage, turns, {
        limits: tools.limits,
        fileNames,
        ask,
        read: tools.read,
      });
  }
}

async function answer(
  userMessage: string,
  turns: readonly Turn[],
  fileNames: readonly string[],
  ask: Ask,
  tools: OrchestrateTools,
): Promise<Outcome> {
  if (!tools.usable('documentQuestions'))
    return outcome('unsupported_capability', {
      capability: 'documentQuestions',
      message: 'Questions about documents are switched off on this server (aiEngine.features.documentQuestions).',
    });
  const { limits } = tools;
  tools.progress({ phase: 'extracting_content' });
  if (fileNames.length === 0) {
    const passages = (await tools.search(userMessage)) ?? [];
    const found =
      passages.length === 0 ? undefined : await askPassages(userMessage, turns, passages, limits.characters, ask);
    return (
      found ??
      outcome('need_content', {
        question: 'Which document? Send it with the request, as fileInputs[0].fileInput.',
        resumeWith: addresses.orchestrate,
        maxPages: known(limits.pages),
        maxCharacters: known(limits.characters),
      })
    );
  }
  return askAnswer(userMessage, turns, {
    limits,
    fileNames,
    ask,
    read: tools.read,
    lookUp: (question, read) => lookUp(userMessage, turns, question, read, fileNames, ask, tools),
    hold: (quoted) => {
      tools.progress({ phase: 'processing' });
      return tools.hold(quoted);
    },
  });
}

/**
 * Answers from the index if the documents are too long to read; asks for documents that are not indexed. Undefined
 * without an index, or if it does not answer.
 */
async function lookUp(
  userMessage: string,
  turns: readonly Turn[],
  question: string,
  { ids, pages, fits }: QuestionText,
  fileNames: readonly string[],
  ask: Ask,
  tools: OrchestrateTools,
): Promise<Outcome | undefined> {
  const [passages, missing]: [Passage[], { readonly id: string; readonly name: string }[]] = [[], []];
  for (const [file, id] of ids.entries()) {
    const found = await tools.search(question, id);
    if (found === undefined) break;
    passages.push(...found);
    // Indexing keeps to the same limits: of a document that alone is too long it would keep no more than a question
    // holds.
    if (found.length > 0 || fits[file] !== true) continue;
    // Nothing fits, or it was never indexed: then not even its own words are found.
    const own = await tools.search(pages.find((page) => page.file === file)?.text.slice(0, 300) ?? '', id);
    if (own?.length === 0) missing.push({ id, name: fileNames[file] ?? '' });
  }
  const found =
    passages.length === 0 ? undefined : await askPassages(userMessage, turns, passages, tools.limits.characters, ask);
  if (found !== undefined || missing.length === 0) return found;
  return outcome('need_ingest', {
    filesToIngest: missing,
    reason:
      'Together the documents are longer than one question may be, and the part that was read does not say. ' +
      'Once they are indexed, all of them is searched.',
    tool: addresses.ingest,
    parameters: { index: true },
    resumeWith: addresses.orchestrate,
    report: { pagesRead: pages.length },
    maxPages: known(tools.limits.pages),
    maxCharacters: known(tools.limits.characters),
  });
}

/** A limit; null where none is set. */
function known(limit: number): number | null {
  return limit === Number.MAX_SAFE_INTEGER ? null : limit;
}

async function carryOut(
  userMessage: string,
  turns: readonly Turn[],
  fileNames: readonly string[],
  chosen: readonly OfferedOperation[],
  ask: Ask,
  tools: OrchestrateTools,
): Promise<Outcome> {
  if (chosen.length === 0)
    return outcome('cannot_do', { reason: 'No operation of this server was found that does that.' });
  let faults: readonly FieldFault[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { steps, summary } = await askPlan(
      userMessage,
      turns,
      fileNames,
      chosen,
      faults.slice(0, MOST_FAULTS).map(told),
      ask,
    );
    tools.progress({ phase: 'processing' });
    faults = steps.length === 0 ? [{ pointer: '/pipeline', detail: 'has no step' }] : tools.check(steps);
    if (faults.length === 0) return fileNames.length === 0 ? proposed(steps, summary) : perform(steps, summary, tools);
  }
  return outcome('cannot_do', {
    reason: `The planned steps cannot run: ${faults.slice(0, MOST_FAULTS).map(told).join('; ')}`,
  });
}

/** Steps that wait for a document: one is called as a tool, several run as a pipeline. */
function proposed(steps: readonly PlannedStep[], summary: string): Outcome {
  const [only] = steps;
  const told = {
    steps,
    ...(summary === '' ? {} : { summary }),
    question: 'With which document? Send it with the request, as fileInputs[0].fileInput.',
  };
  return steps.length === 1 && only !== undefined
    ? outcome('tool_call', { ...told, tool: only.operation, parameters: only.parameters, resumeWith: only.operation })
    : outcome('plan', { ...told, resumeWith: addresses.pipeline });
}

async function perform(steps: readonly PlannedStep[], summary: string, tools: OrchestrateTools): Promise<Outcome> {
  const plan = { steps, ...(summary === '' ? {} : { summary }) };
  try {
    const files = await tools.run(steps, (stepIndex, tool) =>
      tools.progress({ phase: 'executing_tool', tool, stepIndex, stepCount: steps.length }),
    );
    const [first] = files;
    if (first === undefined)
      return outcome('cannot_continue', {
        ...plan,
        reason: 'The steps ran, and left no file: what they filter out left the run.',
      });
    return outcome('completed', {
      ...plan,
      resultFiles: files,
      ...(files.length === 1 ? { fileId: first.fileId, fileName: first.fileName, contentType: first.contentType } : {}),
    });
  } catch (error) {
    // A refusal of a step or of the allowance is an outcome; other failures are errors of the call.
    if (!isQuireError(error) || !['input', 'access'].includes(errorRow(error.code).family)) throw error;
    return outcome('cannot_continue', {
      ...plan,
      reason: inStep(error),
      errorCode: error.code,
      ...(typeof error.data['subscribed'] === 'boolean' ? { errorSubscribed: error.data['subscribed'] } : {}),
    });
  }
}

/** A step's refusal with its position, which jobs keep separate from the text. */
function inStep({ message, data: { stepIndex, stepOperation } }: QuireError): string {
  return stepIndex === undefined || message.startsWith('Step ')
    ? message
    : `Step ${String(stepIndex)} (${String(stepOperation)}): ${message}`;
}

function told({ pointer, detail }: FieldFault): string {
  return `${pointer}: ${detail}`;
}

/** Throws SERVICE_NOT_SET_UP while neither questions nor chat are usable. */
export function refuseWhileOff(enabled: boolean, usable: OrchestrateTools['usable']): void {
  if (usable('chat') || usable('documentQuestions')) return;
  throw new OperationalError('SERVICE_NOT_SET_UP', {
    service: 'chat',
    detail: enabled
      ? 'aiEngine.features.chat and aiEngine.features.documentQuestions are false'
      : 'aiEngine.enabled is false',
  });
}
