import type { AccountServices } from '../../accounts/index.js';
import { applyGroups, type GroupRules } from '../../identity/index.js';
import type { ScimCall } from '../scim-call.js';
import type { ScimRecords } from '../scim-records.js';

/** Gives accounts the role and the team of their groups (`scim.groupRoles`, `scim.groupTeams`). */
export class GroupRights {
  constructor(
    private readonly accounts: Pick<AccountServices, 'users' | 'teams'>,
    private readonly records: ScimRecords,
    private readonly rules: GroupRules,
  ) {}

  /** Call when the groups of these accounts have changed. */
  async apply(userIds: readonly string[], call: ScimCall): Promise<void> {
    if (this.rules.roles.length === 0 && this.rules.teams.length === 0) return;
    for (const id of new Set(userIds)) await this.#applyTo(id, call);
  }

  async #applyTo(userId: string, call: ScimCall): Promise<void> {
    const before = await this.accounts.users.byId(userId);
    if (before === undefined) return;
    const groups = await this.records.groupsOf(userId);
    // A rule names a group as people see it, or by the id that the provider gave.
    const names = groups.flatMap(({ displayName, externalId }) =>
      externalId === null ? [displayName] : [displayName, externalId],
    );
    const { user, kept } = await applyGroups(this.accounts, this.rules, before, names);
    if (kept !== undefined) call.record(before.username, `groups changed; ${kept}`);
    if (user.role !== before.role) call.record(user.username, `role ${before.role} is now ${user.role}, by groups`);
    if (user.teamId !== before.teamId) call.record(user.username, 'moved to another team, by groups');
  }
}
