import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRef, PDFStream } from 'pdf-lib';

/** The references between the objects of a written file. */
export interface ObjectGraph {
  /** References to missing objects. */
  readonly dangling: readonly string[];
  /** Objects that the trailer does not reach. */
  readonly orphans: readonly string[];
  readonly objects: number;
}

/** Walks a document from its trailer, and lists everything in the file. */
export function graphOf(context: PDFContext): ObjectGraph {
  const dangling = new Set<string>();
  const reached = new Set<PDFRef>();
  const waiting: PDFObject[] = [
    context.trailerInfo.Root,
    context.trailerInfo.Info,
    context.trailerInfo.ID,
    context.trailerInfo.Encrypt,
  ].filter((value) => value !== undefined);
  const walk = (): void => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (value instanceof PDFRef) {
        if (reached.has(value)) continue;
        reached.add(value);
        const object = context.lookup(value);
        if (object === undefined) dangling.add(value.toString());
        else waiting.push(object);
      } else if (value instanceof PDFArray) waiting.push(...value.asArray());
      else if (value instanceof PDFDict) waiting.push(...value.values());
      else if (value instanceof PDFStream) waiting.push(value.dict);
    }
  };
  walk();
  const objects = context.enumerateIndirectObjects().filter(([, object]) => !isStructure(object));
  const orphans = objects.filter(([ref]) => !reached.has(ref)).map(([ref]) => ref.toString());
  for (const [, object] of objects) waiting.push(object);
  walk();
  return { dangling: [...dangling], orphans, objects: objects.length };
}

/** Cross-reference and object streams belong to the file structure, and no object refers to them. */
function isStructure(object: PDFObject): boolean {
  const type =
    object instanceof PDFStream
      ? object.dict
          .entries()
          .find(([key]) => key.decodeText() === 'Type')?.[1]
          .toString()
      : undefined;
  return type === '/XRef' || type === '/ObjStm';
}
