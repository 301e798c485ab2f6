import { type PDFContext, PDFDict, PDFName, PDFRef } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import type { Entry } from './cross-reference.js';
import type { Scan } from './recovery-scan.js';

/**
 * Adds the objects in the object streams of a scanned file. Of several objects with one number the last in the file
 * counts; `numbersIn` returns the object numbers in an object stream.
 */
export function addPackedObjects(
  recovered: Map<number, Entry>,
  scan: Scan,
  numbersIn: (stream: number) => readonly number[],
): void {
  const containers = scan.objectStreams
    .map((number) => ({ number, position: scan.objects.get(number)?.position ?? 0 }))
    .sort((a, b) => a.position - b.position);
  for (const { number, position } of containers) {
    for (const [index, inner] of numbersIn(number).entries()) {
      const known = scan.objects.get(inner);
      if (inner > 0 && inner <= bounds.believedNumber && (known === undefined || known.position < position))
        recovered.set(inner, { kind: 'in', stream: number, index });
    }
  }
}

/** Searches the recovered objects for a catalog with pages; the last one in the file counts. */
export function findCatalog(
  recovered: ReadonlyMap<number, Entry>,
  scan: Scan,
  context: PDFContext,
): PDFRef | undefined {
  const inside = [...recovered].flatMap(([number, entry]) => (entry.kind === 'in' ? [number] : []));
  for (const number of [...scan.catalogs.toReversed(), ...inside]) {
    const entry = recovered.get(number);
    const ref = PDFRef.of(number, entry?.kind === 'at' ? entry.generation : 0);
    const object = context.lookup(ref);
    if (
      object instanceof PDFDict &&
      object.get(PDFName.of('Type')) === PDFName.of('Catalog') &&
      object.has(PDFName.of('Pages'))
    )
      return ref;
  }
  return undefined;
}

export function largestNumber(recovered: ReadonlyMap<number, Entry>): number {
  let largest = 0;
  for (const number of recovered.keys()) largest = Math.max(largest, number);
  return largest;
}
