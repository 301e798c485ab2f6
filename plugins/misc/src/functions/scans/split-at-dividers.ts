import { splitToFiles, type SplitToFilesOptions } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import type { FindOptions } from '@quire/document/engines/rendering';
import { findDividers } from './find-dividers.js';

/** How a document is split at dividers. */
export interface SplitAtDividersOptions extends FindOptions, SplitToFilesOptions {
  /** Sheets were scanned on both sides: the page after a divider is its back and goes with it. */
  readonly duplex: boolean;
}

/**
 * Splits a document at its divider pages into files at `targetOf(n)`. Dividers are in no part, and parts without pages
 * are none; without a divider there is one part with everything. Errors: those of opening, DIVIDERS_ONLY.
 */
export async function splitAtDividers(
  source: string,
  targetOf: (n: number) => string,
  options: SplitAtDividersOptions,
): Promise<void> {
  const parts = partsBetween(await findDividers(source, options), options.duplex);
  if (parts.length === 0) throw new InputError('DIVIDERS_ONLY', { field: 'fileInput' });
  const { modified, signal, onPart } = options;
  await splitToFiles(
    source,
    (pageCount) => parts.map((pages) => ({ pages, keepDocumentLevel: pages.length === pageCount })),
    targetOf,
    {
      ...(modified === undefined ? {} : { modified }),
      onPart: async (path, n, count) => {
        signal?.throwIfAborted();
        await onPart(path, n, count);
      },
    },
  );
}

/**
 * Gives the 0-based indexes of the pages of each part. A divider on the first page begins the first part, as any other
 * begins the next.
 */
export function partsBetween(dividers: readonly boolean[], duplex: boolean): number[][] {
  const parts: number[][] = [[]];
  for (let page = 0; page < dividers.length; page++) {
    if (dividers[page] !== true) parts.at(-1)!.push(page);
    else {
      parts.push([]);
      if (duplex) page++;
    }
  }
  return parts.filter((pages) => pages.length > 0);
}
