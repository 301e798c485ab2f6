import { callJson, asProblem } from '../../api/index.ts';
import { faultsByField } from '../../form/faults.ts';
import type { Draft } from './draft.ts';
import { parametersOf } from '../../form/values.ts';

const PAUSE_MS = 400;

/**
 * Asks the server's own rules about the values, a moment after the last change. Only for operations that can be
 * pipeline steps, and once the declared limits are kept.
 */
export function checkLater(draft: Draft): () => void {
  const { operation, values, checked } = draft;
  const parameters = parametersOf(operation, values.value);
  if (!operation.pipeline || Object.keys(draft.localFaults).length > 0 || draft.touched.value.size === 0) {
    checked.value = {};
    return () => undefined;
  }
  const stop = new AbortController();
  const timer = setTimeout(() => {
    void faultsOf(`/api/v1/${operation.path}`, parameters, stop.signal).then((faults) => {
      if (!stop.signal.aborted) checked.value = faults;
    });
  }, PAUSE_MS);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

async function faultsOf(
  operation: string,
  parameters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const form = new FormData();
  form.append('json', JSON.stringify({ pipeline: [{ operation, parameters }] }));
  try {
    await callJson('pipeline/validate', { body: form, signal, login: 'quiet' });
    return {};
  } catch (error) {
    // Without an answer nothing is known; the call itself will tell.
    return faultsByField(asProblem(error).faults, '/pipeline/0/parameters/');
  }
}
