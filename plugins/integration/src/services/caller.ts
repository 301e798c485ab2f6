import { DefectError, type Principal, type RunContext } from '@quire/registry';

/** Returns the caller of a run, which operations of the server always know. */
export function callerOf({ caller }: Pick<RunContext, 'caller'>): Principal {
  if (caller === undefined)
    throw new DefectError('CONTRACT_BROKEN', { detail: 'a run of the server without a caller' });
  return caller;
}
