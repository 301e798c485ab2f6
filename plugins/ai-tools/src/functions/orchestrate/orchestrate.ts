import { errorRow, type FieldFault, isQuireError, OperationalError, type QuireError } from '@quire/registry/errors';
import type { Ask } from '../model-use.js';
import { askAnswer, type AnswerTools, recentTurns, type Turn } from './ask-answer.js';
import { askIntent, askPlan, type OfferedOperation, type PlannedStep } from './ask-plan.js';
import { outcome, type Outcome, type ResultFile } from './outcome.js';

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

/** What a request is carried out with. */
export interface OrchestrateTools extends Pick<AnswerTools, 'read' | 'hold' | 'limits'> {
  usable(feature: 'chat' | 'documentQuestions'): boolean;
  readonly ask: Ask;
  /** What a plan may hold. */
  operations(): readonly OfferedOperation[];
  check(steps: readonly PlannedStep[]): readonly FieldFault[];
  run(steps: readonly PlannedStep[], onStep: (index: number, operation: string) => void): Promise<readonly ResultFile[]>;
  progress(at: Progress): void;
}

/** Part of what a question may hold that the conversation before may take. */
const HISTORY_SHARE = 0.25;
const MOST_FAULTS = 8;

/**
 * Carries a request out: a question is answered from the documents, and what is to be done is planned, checked and run. The model's words are never more than values: paths and parameters are held
 * against what is offered, quotations against the documents. Rejects with what the tools reject with; what a step refuses is an outcome.
 */
export async function orchestrate({ userMessage, history, fileNames }: OrchestrateRequest, tools: OrchestrateTools): Promise<Outcome> {
  const turns = recentTurns(history, tools.limits.characters * HISTORY_SHARE);
  const ask: Ask = (question) => {
    tools.progress({ phase: 'calling_engine' });
    return tools.ask(question);
  };
  tools.progress({ phase: 'analyzing' });
  const operations = tools.usable('chat') ? tools.operations() : [];
  const intent = tools.usable('chat') ? await askIntent(userMessage, turns, fileNames, operations, ask) : { intent: 'answer' as const, operations: [], words: '' };
  if (intent.intent === 'need_clarification') return outcome('need_clarification', { question: intent.words === '' ? 'What is to be done, and with which document?' : intent.words });
  if (intent.intent === 'cannot_do') return outcome('cannot_do', { reason: intent.words === '' ? 'No operation of this server does that.' : intent.words });
  if (fileNames.length === 0) return outcome('need_clarification', { question: 'Which document? Send it with the request, as fileInputs[0].fileInput.' });
  if (intent.intent === 'plan') return carryOut(userMessage, turns, fileNames, operations.filter(({ operation }) => intent.operations.includes(operation)), ask, tools);
  if (!tools.usable('documentQuestions')) return outcome('unsupported_capability', { capability: 'documentQuestions', message: 'Questions about documents are switched off on this server (aiEngine.features.documentQuestions).' });
  tools.progress({ phase: 'extracting_content' });
  return askAnswer(userMessage, turns, { limits: tools.limits, fileNames, ask, read: tools.read, hold: (quoted) => {
    tools.progress({ phase: 'processing' });
    return tools.hold(quoted);
  } });
}

async function carryOut(userMessage: string, turns: readonly Turn[], fileNames: readonly string[], chosen: readonly OfferedOperation[], ask: Ask, tools: OrchestrateTools): Promise<Outcome> {
  if (chosen.length === 0) return outcome('cannot_do', { reason: 'No operation of this server was found that does that.' });
  let faults: readonly FieldFault[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { steps, summary } = await askPlan(userMessage, turns, fileNames, chosen, faults.slice(0, MOST_FAULTS).map(told), ask);
    tools.progress({ phase: 'processing' });
    faults = steps.length === 0 ? [{ pointer: '/pipeline', detail: 'has no step' }] : tools.check(steps);
    if (faults.length === 0) return perform(steps, summary, tools);
  }
  return outcome('cannot_do', { reason: `The steps that were planned cannot run: ${faults.slice(0, MOST_FAULTS).map(told).join('; ')}` });
}

async function perform(steps: readonly PlannedStep[], summary: string, tools: OrchestrateTools): Promise<Outcome> {
  const plan = { steps, ...(summary === '' ? {} : { summary }) };
  try {
    const files = await tools.run(steps, (stepIndex, tool) => tools.progress({ phase: 'executing_tool', tool, stepIndex, stepCount: steps.length }));
    const [first] = files;
    if (first === undefined) return outcome('cannot_continue', { ...plan, reason: 'The steps ran, and left no file: what they filter out left the run.' });
    return outcome('completed', { ...plan, resultFiles: files, ...(files.length === 1 ? { fileId: first.fileId, fileName: first.fileName, contentType: first.contentType } : {}) });
  } catch (error) {
    // What a step refuses, or the allowance, is told; what failed for other reasons is an error of the call.
    if (!isQuireError(error) || !['input', 'access'].includes(errorRow(error.code).family)) throw error;
    return outcome('cannot_continue', { ...plan, reason: inStep(error), errorCode: error.code, ...(typeof error.data['subscribed'] === 'boolean' ? { errorSubscribed: error.data['subscribed'] } : {}) });
  }
}

/** What a step refuses, with its place, which jobs keep apart from the words. */
function inStep({ message, data: { stepIndex, stepOperation } }: QuireError): string {
  return stepIndex === undefined || message.startsWith('Step ') ? message : `Step ${String(stepIndex)} (${String(stepOperation)}): ${message}`;
}

function told({ pointer, detail }: FieldFault): string {
  return `${pointer}: ${detail}`;
}

/** Throws SERVICE_NOT_SET_UP while neither questions nor chat are usable. */
export function refuseWhileOff(enabled: boolean, usable: OrchestrateTools['usable']): void {
  if (usable('chat') || usable('documentQuestions')) return;
  throw new OperationalError('SERVICE_NOT_SET_UP', { service: 'chat', detail: enabled ? 'aiEngine.features.chat and aiEngine.features.documentQuestions are false' : 'aiEngine.enabled is false' });
}
