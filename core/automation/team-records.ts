import { AccessError, InputError, type Principal } from '@quire/registry';

/** To whom a record belongs. */
export interface Owned {
  /** Empty when it was made while login was off. */
  readonly ownerId: string;
  readonly ownerName: string | null;
  readonly teamId: string | null;
  /**
   * The folder of the file storage whose files it processes, as its owner's own: the team does not see it. Absent for
   * all others.
   */
  readonly storageFolder?: string;
}

/** Who may see and change automations and sources. */
export class TeamRecords {
  constructor(private readonly loginEnabled: boolean) {}

  /**
   * Members of the team see a record; one without an owner is for administrators, and one of a storage folder for its
   * owner and administrators of the team.
   */
  sees(principal: Principal, { ownerId, teamId, storageFolder }: Owned): boolean {
    if (!this.loginEnabled) return true;
    if (ownerId === '') return principal.role === 'admin';
    if (storageFolder !== undefined && ownerId === principal.id) return true;
    return teamId === (principal.teamId ?? null) && (storageFolder === undefined || principal.role === 'admin');
  }

  /** `record`: the one that is changed, if there is one. */
  mayEdit({ id, role }: Principal, record?: Owned): boolean {
    return !this.loginEnabled || role === 'admin' || (record?.storageFolder !== undefined && record.ownerId === id);
  }

  /** Throws NOT_FOUND for a record of another team. */
  mustSee<T extends Owned>(principal: Principal, record: T | undefined): T {
    if (record === undefined || !this.sees(principal, record)) throw new InputError('NOT_FOUND');
    return record;
  }

  /** Throws AUTOMATION_READ_ONLY for callers who are not administrators, unless the record is of a folder of theirs. */
  mustEdit(principal: Principal, record?: Owned): void {
    if (!this.mayEdit(principal, record)) throw new AccessError('AUTOMATION_READ_ONLY');
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
