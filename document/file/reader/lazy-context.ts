import { PDFContext, type PDFObject, type PDFRef } from 'pdf-lib';

/** Loads a document's objects and lists their references. */
export interface ObjectLoader {
  load(ref: PDFRef): PDFObject | undefined;
  references(): Iterable<PDFRef>;
}

/** The objects that can differ from the file. */
export interface Touched {
  /** Every object in memory, loaded or added. Iterating loads nothing. */
  readonly objects: Iterable<readonly [PDFRef, PDFObject]>;
  /** References assigned since the file was read: new objects and replaced ones. */
  readonly assigned: ReadonlySet<PDFRef>;
  readonly deleted: ReadonlySet<PDFRef>;
}

/** pdf-lib's map of indirect objects, filled on demand. */
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
 * Creates a pdf-lib context that loads objects on lookup, so that any code for contexts works on a file that was hardly
 * read. Enumerating it loads everything; `forget` drops the loaded objects, `touched` returns those that may differ
 * from the file.
 */
export function lazyContext(loader: ObjectLoader): {
  readonly context: PDFContext;
  /** The same objects: what the context looks up, without the array that pdf-lib makes for each lookup. */
  readonly objects: Pick<ReadonlyMap<PDFRef, PDFObject>, 'get'>;
  readonly forget: () => void;
  readonly touched: () => Touched;
} {
  const context = PDFContext.create();
  const objects = LazyObjects.over(loader);
  // pdf-lib has no extension point: its constructor is private, and every lookup goes through this map of objects.
  Object.defineProperty(context, 'indirectObjects', { value: objects, enumerable: true });
  return { context, objects, forget: () => objects.clear(), touched: () => objects.touched() };
}
