import { defineTask } from '@quire/registry';
import type { Quoted, QuestionReading, QuestionText } from '../functions/orchestrate/read-for-question.js';

/** Long documents are read whole before the fitting pages are known. */
const TIMEOUT_MS = 120_000;

/** Reads documents for a question. */
export const readDocuments = defineTask<QuestionReading, QuestionText>({
  name: 'read-documents',
  timeoutMs: TIMEOUT_MS,
  run: async (reading, { signal }) =>
    (await import('../functions/orchestrate/read-for-question.js')).readForQuestion(reading, signal),
});

/** Finds quotations in documents. */
export const findEvidence = defineTask<
  { readonly paths: readonly string[]; readonly quoted: readonly Quoted[] },
  readonly Quoted[]
>({
  name: 'find-evidence',
  timeoutMs: TIMEOUT_MS,
  run: async ({ paths, quoted }, { signal }) =>
    (await import('../functions/orchestrate/read-for-question.js')).holdEvidence(paths, quoted, signal),
});
