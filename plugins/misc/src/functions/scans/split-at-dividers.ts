import { splitToFiles, type SplitToFilesOptions } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import type { FindOptions } from '@quire/document/engines/rendering';
import { findDividers } from './find-dividers.js';

export interface SplitAtDividersOptions extends FindOptions, SplitToFilesOptions {
  /** Sheets were scanned on both sides: the page after a divider is its back and is removed as well. */
  readonly duplex: boolean;
}

/**
 * Splits a document at its divider pages into files at `targetOf(n)`. Dividers are removed, and so are parts without
 * pages; without a divider there is a single part. Throws the errors of opening, DIVIDERS_ONLY.
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

/** Returns the 0-based page indexes of each part. A divider on the first page starts the first part. */
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
