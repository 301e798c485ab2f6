/** A step that was saved, as far as it is looked at. */
export interface SavedStep {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Whose steps they are. */
export interface StepHolder {
  readonly kind: 'preset' | 'watchedFolder';
  readonly name: string;
}

const MOST_NAMED = 5;

/** True for a step of this plugin's operations that works over the connection of this number. */
export function namesConnection({ operation, parameters }: SavedStep, id: number): boolean {
  return (
    /^\/?(?:api\/v1\/)?integration\//.test(operation) && String(parameters['connectionId'] ?? '').trim() === String(id)
  );
}

/**
 * By what a connection is used, in words. Folders of the server are named to administrators only; `uses`: what names it
 * besides these pipelines.
 */
export function usedBy(
  holders: readonly StepHolder[],
  toAdmin: boolean,
  uses: { readonly named: readonly string[]; readonly others: number } = { named: [], others: 0 },
): string {
  const named = holders.filter(({ kind }) => toAdmin || kind === 'preset');
  const words = [
    ...uses.named,
    ...named.map(
      ({ kind, name }) =>
        `the ${kind === 'preset' ? 'saved pipeline' : 'pipeline of the watched folder'} "${name.slice(0, 200)}"`,
    ),
  ].slice(0, MOST_NAMED);
  const more = holders.length + uses.named.length + uses.others - words.length;
  if (more > 0) words.push(`${more}${words.length === 0 ? '' : ' more'} ${more === 1 ? 'use' : 'uses'} on this server`);
  return `it is used by ${words.join(', ')}`;
}
