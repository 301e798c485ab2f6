import type { Logger } from '@quire/registry';
import type { AccountRecords } from './account-records.js';
import { API_USER, INTERNAL_ROLE } from './model.js';
import { randomPassword } from './passwords.js';
import type { Teams } from './teams.js';
import type { Users } from './users.js';

/** Settings for the accounts that the server creates itself. */
export interface FirstStartSettings {
  /** `security.initialLogin.username`; empty: `admin`. */
  readonly username: string;
  /** `security.initialLogin.password`; empty: a random password. */
  readonly password: string;
  /** True if a global key is set. */
  readonly globalKey: boolean;
}

/**
 * Creates what must exist before the first login: the server's teams, the first administrator, and the user for the
 * global key. `announce` shows a random password to the operator; it is called once in the lifetime of a store.
 */
export async function prepareAccounts(
  {
    records,
    users,
    teams,
    log,
    announce,
  }: { records: AccountRecords; users: Users; teams: Teams; log: Logger; announce: (text: string) => void },
  settings: FirstStartSettings,
): Promise<void> {
  await teams.prepare();
  await records.keepFirst(
    'firstUsers',
    (await records.users.count()) - (await records.users.count({ role: INTERNAL_ROLE })),
  );
  if ((await records.users.count()) - (await records.users.count({ role: INTERNAL_ROLE })) === 0) {
    const username = settings.username.trim() === '' ? 'admin' : settings.username.trim();
    const madeUp = settings.password === '' ? randomPassword() : undefined;
    const user = await users.createOwn({
      username,
      password: madeUp ?? settings.password,
      role: 'ROLE_ADMIN',
      teamId: teams.defaultId,
      mustChangePassword: madeUp !== undefined,
    });
    // Undefined if another server on this store was quicker.
    if (user !== undefined) log.info({ userId: user.id }, 'the first administrator was created');
    if (user !== undefined && madeUp !== undefined)
      announce(
        `First administrator: user name ${username}, password ${madeUp} (shown once; change it after the first login)`,
      );
  }
  await prepareApiUser(users, teams, settings.globalKey);
}

/**
 * The built-in user exists while the key is set. When the setting is removed the user is disabled, not deleted, so that
 * it keeps its id.
 */
async function prepareApiUser(users: Users, teams: Teams, wanted: boolean): Promise<void> {
  const present = await users.byName(API_USER);
  if (present === undefined) {
    if (wanted)
      await users.createOwn({ username: API_USER, password: null, role: INTERNAL_ROLE, teamId: teams.internalId });
  } else if (present.enabled !== wanted) await users.change(present.id, { enabled: wanted }, true);
}
