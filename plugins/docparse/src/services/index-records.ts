/** A document of a user's index. Its text is in the sheets of `version`. */
export interface IndexedDocument {
  /** Digest of owner and document id. */
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string;
  readonly documentId: string;
  readonly name: string;
  /** Empty while its first text is being written. */
  readonly version: string;
  /** Version that is being written; empty when none is. */
  readonly next: string;
  readonly chunks: number;
  readonly characters: number;
  /** ISO 8601. */
  readonly time: string;
}

/** Some chunks of a version, in order. */
export interface IndexSheet {
  readonly id: string;
  readonly version: string;
  readonly number: number;
  /** `IndexedChunk[]` as JSON. */
  readonly chunks: string;
}

/** A chunk as it is kept. */
export interface IndexedChunk {
  readonly text: string;
  readonly pageStart: number;
  readonly pageEnd: number;
  readonly headingPath: readonly string[];
}

/** Longest text of a chunk, in UTF-16 code units. */
const MOST_TEXT = 32_768;
const MOST_HEADINGS = 64;

/** Parses a line of a chunk file; undefined if it is invalid. */
export function chunkOfLine(line: string): IndexedChunk | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, pageStart, pageEnd, headingPath } = value as Partial<Record<keyof IndexedChunk, unknown>>;
  const isPage = (page: unknown): page is number => Number.isSafeInteger(page) && (page as number) > 0;
  if (typeof text !== 'string' || text.length > MOST_TEXT || !isPage(pageStart) || !isPage(pageEnd)) return undefined;
  if (
    !Array.isArray(headingPath) ||
    headingPath.length > MOST_HEADINGS ||
    !headingPath.every((title): title is string => typeof title === 'string' && title.length <= MOST_TEXT)
  )
    return undefined;
  return { text, pageStart, pageEnd, headingPath };
}
