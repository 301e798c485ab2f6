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

/** By what a connection is used, in words. Folders of the server are named to administrators only. */
export function usedBy(holders: readonly StepHolder[], toAdmin: boolean): string {
  const named = holders.filter(({ kind }) => toAdmin || kind === 'preset');
  const words = named
    .slice(0, MOST_NAMED)
    .map(
      ({ kind, name }) =>
        `the ${kind === 'preset' ? 'saved pipeline' : 'pipeline of the watched folder'} "${name.slice(0, 200)}"`,
    );
  const more = holders.length - words.length;
  if (more > 0)
    words.push(`${more}${words.length === 0 ? '' : ' more'} pipeline${more === 1 ? '' : 's'} of this server`);
  return `it is used by ${words.join(', ')}`;
}
