import { DefectError, type Principal, type RunContext } from '@quire/registry';

/** Who asked for a run; operations of the server are told. */
export function callerOf({ caller }: Pick<RunContext, 'caller'>): Principal {
  if (caller === undefined)
    throw new DefectError('CONTRACT_BROKEN', { detail: 'a run of the server without a caller' });
  return caller;
}
