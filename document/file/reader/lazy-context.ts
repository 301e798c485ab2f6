import { PDFContext, type PDFObject, type PDFRef } from 'pdf-lib';

/** Gives a document's objects, and which it has. */
export interface ObjectLoader {
  load(ref: PDFRef): PDFObject | undefined;
  references(): Iterable<PDFRef>;
}

/** What a context knows beyond the file, or may: only these objects can differ from what the file says. */
export interface Touched {
  /** Every object in memory: read from the file, or put there. Reads nothing. */
  readonly objects: Iterable<readonly [PDFRef, PDFObject]>;
  /** References that were given an object since the file was read: new ones, and those whose object was replaced. */
  readonly assigned: ReadonlySet<PDFRef>;
  readonly deleted: ReadonlySet<PDFRef>;
}

/** The map in which pdf-lib keeps indirect objects, filled as they are asked for. */
class LazyObjects extends Map<PDFRef, PDFObject> {
  readonly #gone = new Set<PDFRef>();
  readonly #assigned = new Set<PDFRef>();
  #loader: ObjectLoader | undefined;

  static over(loader: ObjectLoader): LazyObjects {
    const objects = new LazyObjects();
    objects.#loader = loader;
    return objects;
  }

  override get(ref: PDFRef): PDFObject | undefined {
    const known = super.get(ref);
    if (known !== undefined || this.#gone.has(ref)) return known;
    const object = this.#loader?.load(ref);
    if (object !== undefined) super.set(ref, object);
    return object;
  }

  override has(ref: PDFRef): boolean {
    return this.get(ref) !== undefined;
  }

  override set(ref: PDFRef, object: PDFObject): this {
    this.#gone.delete(ref);
    this.#assigned.add(ref);
    return super.set(ref, object);
  }

  override delete(ref: PDFRef): boolean {
    const had = this.has(ref);
    super.delete(ref);
    this.#assigned.delete(ref);
    this.#gone.add(ref);
    return had;
  }

  touched(): Touched {
    return { objects: { [Symbol.iterator]: () => super.entries() }, assigned: this.#assigned, deleted: this.#gone };
  }

  override entries(): MapIterator<[PDFRef, PDFObject]> {
    for (const ref of this.#loader?.references() ?? []) this.get(ref);
    return super.entries();
  }
}

/**
 * Makes a pdf-lib context whose objects are read when they are looked up, so that whatever works on a context works on
 * a file that was hardly read. Enumerating it reads everything; `forget` makes it read anew, `touched` tells what may
 * differ from the file.
 */
export function lazyContext(loader: ObjectLoader): {
  readonly context: PDFContext;
  readonly forget: () => void;
  readonly touched: () => Touched;
} {
  const context = PDFContext.create();
  const objects = LazyObjects.over(loader);
  // pdf-lib has no way in: its constructor is private, and its map of objects is the one place that every lookup goes
  // through.
  Object.defineProperty(context, 'indirectObjects', { value: objects, enumerable: true });
  return { context, forget: () => objects.clear(), touched: () => objects.touched() };
}
