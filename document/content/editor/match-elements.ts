/** Differences between a page's elements and the edited ones. */
export interface Matched<Read, Element> {
  /** Elements of the page with what they are now. */
  readonly kept: ReadonlyMap<Read, Element>;
  /** Elements of the page that are there no more. */
  readonly removed: readonly Read[];
  readonly added: readonly Element[];
}

/**
 * Finds which element of an edited page is which of the page itself: those that are the same first, then by their place
 * in the order of painting, as long as `alike` takes them for one.
 */
export function matchElements<Element extends { readonly zOrder?: number }, Read extends { readonly element: Element }>(
  reads: readonly Read[],
  elements: readonly Element[],
  same: (element: Element) => string,
  alike: (read: Element, element: Element) => boolean,
): Matched<Read, Element> {
  const kept = new Map<Read, Element>();
  const byKey = new Map<string, Read[]>();
  for (const read of reads) {
    const key = same(read.element);
    const list = byKey.get(key);
    if (list === undefined) byKey.set(key, [read]);
    else list.push(read);
  }
  const rest: Element[] = [];
  for (const element of elements) {
    const list = byKey.get(same(element)) ?? [];
    const exact = list.findIndex((read) => read.element.zOrder === element.zOrder);
    const [read] = list.splice(Math.max(0, exact), 1);
    if (read === undefined) rest.push(element);
    else kept.set(read, element);
  }
  const byOrder = new Map(reads.filter((read) => !kept.has(read)).map((read) => [read.element.zOrder, read]));
  const added: Element[] = [];
  for (const element of rest) {
    const read = element.zOrder === undefined ? undefined : byOrder.get(element.zOrder);
    if (read !== undefined && !kept.has(read) && alike(read.element, element)) kept.set(read, element);
    else added.push(element);
  }
  return { kept, removed: reads.filter((read) => !kept.has(read)), added };
}

/** True for visually equal numbers; a missing one means unchanged. */
export function near(a: number | undefined, b: number | undefined, tolerance = 0.005): boolean {
  return a === undefined || b === undefined || Math.abs(a - b) <= tolerance;
}

/** The same for matrices, with a smaller tolerance for their linear part. */
export function nearMatrix(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return (
    a === undefined ||
    b === undefined ||
    a.every((value, i) => near(value, b[i], i < 4 ? 1e-4 * Math.max(1, Math.abs(value)) : 0.005))
  );
}
