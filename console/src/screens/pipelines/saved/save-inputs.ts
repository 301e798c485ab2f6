import { rt } from '../../../i18n/index.ts';
import type { PlacedStep } from '../model/pipeline.ts';
import { escaped } from '../model/pointers.ts';
import { titleOf } from '../steps/step-card.tsx';
import type { SavedInput } from './saved.ts';

/** A value that a saved pipeline may ask for. */
export interface Askable {
  /** JSON Pointer of the parameter in the definition. */
  readonly field: string;
  readonly name: string;
  readonly label: string;
}

/** Parameters of the steps, as they can become inputs: `Rotate pages · Rotation`. */
export function askableOf(placed: readonly PlacedStep[]): readonly Askable[] {
  const taken = new Set<string>();
  return placed.flatMap(([step, pointer]) =>
    (step.operation?.fields ?? [])
      .filter(({ widget }) => widget !== 'secret')
      .map(({ name, label }) => {
        let free = name;
        for (let n = 2; taken.has(free); n += 1) free = `${name}${n}`;
        taken.add(free);
        const field = `${pointer}/parameters/${escaped(name)}`;
        return { field, name: free, label: `${titleOf(step)} · ${rt(label)}` };
      }),
  );
}

/** The inputs to save: chosen parameters and all placeholders; those that were saved before keep what they had. */
export function inputsOf(
  askable: readonly Askable[],
  asked: ReadonlySet<string>,
  placeholders: readonly string[],
  before: readonly SavedInput[],
): readonly SavedInput[] {
  const known = new Set(askable.map(({ field }) => field));
  // Parameters of filters in conditions are not in the list to choose from.
  const others = before.filter(({ field }) => field !== undefined && !known.has(field));
  const chosen = askable.filter(({ field }) => asked.has(field));
  return [
    ...others,
    ...chosen.map(({ field, name }) => before.find((input) => input.field === field) ?? { name, field }),
    ...placeholders.map(
      (name) => before.find((input) => input.field === undefined && input.name === name) ?? { name, required: true },
    ),
  ];
}

/** A name for addresses, made of a title. */
export function nameFor(title: string): string {
  return title
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}
