/** Faults that a reader has corrected so far. */
export interface ReaderFaults {
  /** Number of bytes before the header. */
  readonly base: number;
  readonly inexact: boolean;
  readonly scanned: boolean;
  readonly displaced: number;
  readonly lengths: number;
  readonly broken: number;
  /** Objects that are followed by something else than `endobj`. */
  readonly unended: number;
}

/** Describes each kind of fault in one sentence, for reports. */
export function describeFaults({
  base,
  inexact,
  scanned,
  displaced,
  lengths,
  broken,
  unended,
}: ReaderFaults): string[] {
  return [
    ...(base > 0 ? [`The header is preceded by ${base} bytes.`] : []),
    ...(scanned ? ['The cross-reference is missing or unreadable; the objects were found by scanning the file.'] : []),
    ...(inexact && !scanned ? ['The cross-reference is not where startxref says.'] : []),
    ...(displaced > 0 ? [`${count(displaced, 'object is', 'objects are')} not where the cross-reference says.`] : []),
    ...(lengths > 0 ? [`${count(lengths, 'stream has', 'streams have')} a wrong length.`] : []),
    ...(broken > 0 ? [`${count(broken, 'object is', 'objects are')} broken and only partly readable.`] : []),
    ...(unended > 0 ? [`${count(unended, 'object has', 'objects have')} no regular end.`] : []),
  ];
}

function count(number: number, one: string, more: string): string {
  return `${number} ${number === 1 ? one : more}`;
}
