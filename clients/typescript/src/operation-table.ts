import { rows } from './generated/rows.js';

/** What a call needs to know of its operation; everything else is checked by the server. */
export interface OperationRow {
  readonly name: string;
  /** `general/rotate-pdf`. */
  readonly path: string;
  /** It has no input document. */
  readonly inputless: boolean;
  /** The answer is JSON, not a file. */
  readonly json: boolean;
  /** Options that are files. */
  readonly parts: readonly string[];
  /** Options that are sent as JSON text, lists included. */
  readonly documents: readonly string[];
}

/** The operations that were known when this package was built. Each line: name, path, flags, parts, JSON fields. */
export const operations: readonly OperationRow[] = rows.split('\n').map((line) => {
  const [name = '', path = '', flags = '', parts = '', documents = ''] = line.split(' ');
  return {
    name,
    path,
    inputless: flags.includes('n'),
    json: flags.includes('j'),
    parts: words(parts),
    documents: words(documents),
  };
});

function words(text: string): string[] {
  return text === '' ? [] : text.split(',');
}
