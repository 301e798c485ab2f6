/** What a reader had to mend so far. */
export interface Mending {
  /** Bytes before the header. */
  readonly base: number;
  readonly inexact: boolean;
  readonly scanned: boolean;
  readonly displaced: number;
  readonly lengths: number;
  readonly broken: number;
}

/** Says what was mended, one sentence each, for reports. */
export function describeMending({ base, inexact, scanned, displaced, lengths, broken }: Mending): string[] {
  return [
    ...(base > 0 ? [`The header stands ${base} bytes behind the beginning of the file.`] : []),
    ...(scanned ? ['The cross-reference is missing or unreadable; the objects were found by scanning the file.'] : []),
    ...(inexact && !scanned ? ['The cross-reference is not where startxref says.'] : []),
    ...(displaced > 0 ? [`${count(displaced, 'object is', 'objects are')} not where the cross-reference says.`] : []),
    ...(lengths > 0 ? [`${count(lengths, 'stream has', 'streams have')} a wrong length.`] : []),
    ...(broken > 0 ? [`${count(broken, 'object is', 'objects are')} broken and could be read in part only.`] : []),
  ];
}

function count(number: number, one: string, more: string): string {
  return `${number} ${number === 1 ? one : more}`;
}
