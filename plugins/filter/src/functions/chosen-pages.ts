import { isQuireError } from '@quire/registry/errors';

/**
 * Makes a page choice under which a selection that names no page of the document chooses none, instead of being
 * refused.
 */
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
