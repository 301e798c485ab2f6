import { operationOf } from '../../api/index.ts';
import { useLoaded, type Loaded } from '../../components/index.ts';
import type { PartProps } from './part.ts';

/** The answer of an operation to the current version. */
export function useAnswer<T>({ file, ask }: Pick<PartProps, 'file' | 'ask'>, operation: string): Loaded<T> {
  return useLoaded(() => ask<T>(operation), [file, operation]);
}

/** Whether this server has an operation, switched on and with all that it needs. */
export function isAvailable(operation: string): boolean {
  return operationOf(operation)?.availability.state === 'available';
}
