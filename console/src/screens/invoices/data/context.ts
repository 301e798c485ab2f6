import type { Invoice } from '@quire/document/invoices/model';
import type { Violation } from '../answers.ts';
import { targetOf, type Path } from './places.ts';

/** A place that was chosen; each new object shows it again. */
export interface Chosen {
  readonly path: Path;
}

/** What is wrong, by the place where it is. */
export interface Marks {
  readonly at: ReadonlyMap<Path, readonly Violation[]>;
  /** These places, and all that they are in. */
  readonly within: ReadonlySet<Path>;
}

/** What the rows of an invoice need to know beside their values. */
export interface DataContext {
  readonly marks: Marks;
  readonly chosen: Chosen | undefined;
  /** Whether business terms are shown by their numbers. */
  readonly ids: boolean;
  /** Finds a value in the document. */
  readonly onFind: (path: Path, value: string) => void;
}

export function marksOf(violations: readonly Violation[], invoice: Invoice): Marks {
  const at = new Map<Path, Violation[]>();
  const within = new Set<Path>();
  for (const violation of violations) {
    const target = targetOf(violation, invoice);
    if (target === undefined) continue;
    const known = at.get(target);
    if (known === undefined) at.set(target, [violation]);
    else known.push(violation);
    for (let end = target.length; end > 0; end = target.lastIndexOf('.', end - 1)) within.add(target.slice(0, end));
  }
  return { at, within };
}

/** Whether a chosen place is this one, or in it. */
export function holdsChosen({ chosen }: DataContext, path: Path): boolean {
  return chosen !== undefined && (chosen.path === path || chosen.path.startsWith(`${path}.`));
}
