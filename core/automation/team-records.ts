import { AccessError, InputError, type Principal } from '@quire/registry';

/** To whom a record belongs. */
export interface Owned {
  /** Empty when it was made while login was off. */
  readonly ownerId: string;
  readonly ownerName: string | null;
  readonly teamId: string | null;
}

/** Who may see and change automations and sources. */
export class TeamRecords {
  constructor(private readonly loginEnabled: boolean) {}

  /** Members of the team see a record; one without an owner is for administrators. */
  sees(principal: Principal, { ownerId, teamId }: Owned): boolean {
    if (!this.loginEnabled) return true;
    if (ownerId === '') return principal.role === 'admin';
    return teamId === (principal.teamId ?? null);
  }

  mayEdit({ role }: Principal): boolean {
    return !this.loginEnabled || role === 'admin';
  }

  /** Throws NOT_FOUND for a record of another team. */
  mustSee<T extends Owned>(principal: Principal, record: T | undefined): T {
    if (record === undefined || !this.sees(principal, record)) throw new InputError('NOT_FOUND');
    return record;
  }

  /** Throws AUTOMATION_READ_ONLY for callers who are not administrators. */
  mustEdit(principal: Principal): void {
    if (!this.mayEdit(principal)) throw new AccessError('AUTOMATION_READ_ONLY');
  }

  /** The owner of a record that this caller saves; an owner that it has stays. */
  ownerOf(principal: Principal, before?: Owned): Owned {
    if (before !== undefined && (before.ownerId !== '' || !this.loginEnabled))
      return { ownerId: before.ownerId, ownerName: before.ownerName, teamId: before.teamId };
    return this.loginEnabled
      ? { ownerId: principal.id, ownerName: principal.name, teamId: principal.teamId ?? null }
      : { ownerId: '', ownerName: null, teamId: null };
  }
}

/** The id of a team as answers have it. */
export function teamNumber(teamId: string | null): number | null {
  return teamId === null ? null : Number(teamId);
}
