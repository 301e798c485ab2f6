import { isQuireError } from '@quire/registry/errors';

/** Wraps a page choice: a selection that matches no page selects none instead of being refused. */
export function noneWhenOutOfRange(
  choose: (pageCount: number) => readonly number[],
): (pageCount: number) => readonly number[] {
  return (pageCount) => {
    try {
      return choose(pageCount);
    } catch (error) {
      if (isQuireError(error) && error.code === 'PAGES_OUT_OF_RANGE') return [];
      throw error;
    }
  };
}
