import {
  type DocumentFile,
  type EndpointContext,
  type EndpointRequest,
  type FieldFault,
  type IndexHit,
  InputError,
  isQuireError,
  type JoiRoot,
  tokens,
} from '@quire/registry';
import type { Turn } from '../functions/orchestrate/ask-answer.js';
import { orchestrate, type Progress, refuseWhileOff } from '../functions/orchestrate/orchestrate.js';
import type { Outcome } from '../functions/orchestrate/outcome.js';
import { findEvidence, readDocuments } from '../tasks/question-tasks.js';

/** Documents of one request, bytes of one, turns of a conversation, and passages of one search. */
const MOST = { files: 20, bytes: 50 * 1024 * 1024, turns: 200, passages: 100 } as const;
const LONGEST_QUERY = 2000;

const turnField = /^conversationHistory\[(\d{1,4})\]\.(role|content)$/;
const fileField = /^fileInputs\[(\d{1,4})\](?:\.fileInput)?$/;

/** The fields of a request; turns of the conversation and files are numbered in their names. */
export function orchestrateFields(joi: JoiRoot) {
  return joi
    .object({
      userMessage: joi
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .required()
        .description("The user's request")
        .example('What is the rent?'),
    })
    .pattern(turnField, joi.string().allow('').max(100_000))
    .description(
      'Beside the message `conversationHistory[i].role` (user or assistant) and ' +
        '`conversationHistory[i].content`, oldest first, and files as `fileInputs[i].fileInput`',
    );
}

/** A request that was read and found in order. */
export interface OrchestrateCall {
  run(progress: (at: Progress) => void, signal: AbortSignal): Promise<Outcome>;
}

/**
 * Reads a request. Throws SERVICE_NOT_SET_UP while the model is off, INPUT_INVALID, INPUT_KIND (415) and
 * INPUT_TOO_LARGE (413): before anything is asked.
 */
export function orchestrateCall({ payload, files, principal }: EndpointRequest, ctx: EndpointContext): OrchestrateCall {
  const model = ctx.use(tokens.languageModel);
  refuseWhileOff(model.usable(), (feature) => model.usable(feature));
  const documents = documentsOf(files);
  const history = turnsOf(payload);
  const paths = documents.map((file) => file.path());
  const [runs, workers] = [ctx.use(tokens.pipelineRuns), ctx.use(tokens.workerTasks)];
  return {
    run: (progress, signal) =>
      orchestrate(
        { userMessage: String(payload['userMessage']), history, fileNames: documents.map(({ name }) => name) },
        {
          limits: model.limits,
          usable: (feature) => model.usable(feature),
          progress,
          ask: (question) => model.ask(question, signal, principal),
          search: searchOf(ctx, principal, signal),
          read: (reading) => workers.run(readDocuments, { ...reading, paths }, signal),
          hold: (quoted) => workers.run(findEvidence, { paths, quoted }, signal),
          // Operations that contact other machines are never planned: even a misled model cannot send a document out of
          // the server.
          operations: () =>
            runs
              .operations(principal)
              .filter(
                ({ operation, accepts, effects }) =>
                  !effects.includes('needsNetwork') &&
                  !operation.startsWith('/api/v1/integration/') &&
                  accepts.some((kind) => kind === 'pdf' || kind === 'any'),
              ),
          check: (steps) => runs.check(steps, principal),
          run: async (steps, onStep) =>
            (await runs.run({ steps, files: documents, principal, signal, onStep })).map((file) => ({
              ...file,
              sourceIndex: documents.length === 1 ? 0 : null,
            })),
        },
      ),
  };
}

/** Looks in the index of the caller's documents, at most as often as the settings say. */
function searchOf(
  ctx: EndpointContext,
  { id, name }: EndpointRequest['principal'],
  signal: AbortSignal,
): (query: string, documentId?: string) => Promise<readonly IndexHit[] | undefined> {
  const settings = ctx.use(tokens.settings);
  const setting = (path: string, none: number): number => {
    const value = settings.get<number>(`aiEngine.rag.${path}`);
    return value < 0 ? none : value;
  };
  let left = settings.get<boolean>('docparse.enabled') ? setting('maxSearches', Infinity) : 0;
  return async (query, documentId) => {
    if (left-- <= 0) return undefined;
    try {
      return await ctx.use(tokens.documentIndex).search(
        {
          query: query.slice(0, LONGEST_QUERY),
          topK: Math.max(1, Math.min(MOST.passages, setting('topK', MOST.passages))),
          ...(documentId === undefined ? {} : { documentId }),
        },
        { id, name },
        signal,
      );
    } catch (error) {
      // No plugin keeps texts here.
      if (isQuireError(error) && error.code === 'SERVICE_NOT_SET_UP') return undefined;
      throw error;
    }
  };
}

/** The documents in the order of their numbers. */
function documentsOf(files: EndpointRequest['files']): DocumentFile[] {
  const numbered = Object.entries(files)
    .flatMap(([field, list]) => {
      const number = fileField.exec(field)?.[1] ?? (field === 'fileInput' || field === 'fileInputs' ? '0' : undefined);
      return number === undefined ? [] : list.map((file) => ({ field, number: Number(number), file }));
    })
    .sort((a, b) => a.number - b.number);
  if (numbered.length > MOST.files)
    throw new InputError('INPUT_FILE_COUNT', {
      field: 'fileInputs',
      found: numbered.length,
      allowed: `at most ${MOST.files} files`,
    });
  for (const { field, file } of numbered) {
    if (file.size === 0) throw new InputError('INPUT_FILE_EMPTY', { field });
    if (file.kind !== 'pdf')
      throw new InputError('INPUT_KIND', { field, found: `a ${file.kind} file`, allowed: 'pdf' });
    if (file.size > MOST.bytes) throw new InputError('INPUT_TOO_LARGE', { limit: MOST.bytes });
  }
  return numbered.map(({ file }) => file);
}

/** The conversation before; a turn without content says nothing. */
function turnsOf(payload: EndpointRequest['payload']): Turn[] {
  const turns = new Map<number, { role?: string; content?: string }>();
  for (const [field, value] of Object.entries(payload)) {
    const [, number, member] = turnField.exec(field) ?? [];
    if (number !== undefined && member !== undefined)
      turns.set(Number(number), { ...turns.get(Number(number)), [member]: String(value) });
  }
  const faults: FieldFault[] =
    turns.size > MOST.turns
      ? [{ pointer: '/conversationHistory', detail: `has ${turns.size} turns; at most ${MOST.turns} are accepted` }]
      : [];
  const read = [...turns]
    .sort(([a], [b]) => a - b)
    .flatMap(([number, { role = '', content = '' }]): Turn[] => {
      const who = role.trim().toLowerCase();
      if (who !== 'user' && who !== 'assistant')
        faults.push({
          pointer: `/conversationHistory[${number}].role`,
          detail: `is "${role.slice(0, 40)}"; allowed: user, assistant`,
        });
      return content.trim() === '' ? [] : [{ role: who === 'assistant' ? 'assistant' : 'user', content }];
    });
  if (faults.length > 0)
    throw new InputError(
      'INPUT_INVALID',
      { detail: faults.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ') },
      faults,
    );
  return read;
}
