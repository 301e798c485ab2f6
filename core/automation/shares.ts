import { InputError, type FieldFault } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { Share } from './model.js';

/** A share as it is sent: with the name of the user or the team. */
export type SentShare = Pick<Share, 'kind' | 'right'> & { readonly name?: string };

/** Finds users and teams by their names. Throws INPUT_INVALID for an unknown one, and while login is off. */
export async function readShares(login: LoginServices | undefined, sent: readonly SentShare[]): Promise<Share[]> {
  const faults: FieldFault[] = [];
  const shares: Share[] = [];
  for (const [at, { kind, name = '', right }] of sent.entries()) {
    const report = (detail: string): void => void faults.push({ pointer: `/sharedWith/${at}/name`, detail });
    if (login === undefined) report('while login is off, everybody may use and change every pipeline; send no shares');
    const everyone = kind === 'everyone' || login === undefined;
    const found = everyone ? undefined : await (kind === 'user' ? userOf : teamOf)(login, name);
    if (!everyone && found === undefined)
      report(name === '' ? `the ${kind} has no name` : `there is no ${kind} named "${name}"`);
    shares.push({ kind, id: found?.id ?? null, name: found?.name ?? null, right });
  }
  if (faults.length > 0)
    throw new InputError('INPUT_INVALID', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
  return shares;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

async function userOf({ accounts }: LoginServices, name: string): Promise<Named | undefined> {
  const user = await accounts.byName(name);
  return user === undefined ? undefined : { id: user.id, name: user.username };
}

async function teamOf({ accounts: { teams } }: LoginServices, name: string): Promise<Named | undefined> {
  const same = [...(await teams.names())].find(([, known]) => known.toLowerCase() === name.trim().toLowerCase());
  return same === undefined || teams.isSystem(same[0]) ? undefined : { id: same[0], name: same[1] };
}
