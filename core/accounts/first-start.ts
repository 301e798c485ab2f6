import type { Logger } from '@quire/registry';
import type { AccountRecords } from './account-records.js';
import { API_USER, INTERNAL_ROLE } from './model.js';
import { randomPassword } from './passwords.js';
import type { Teams } from './teams.js';
import type { Users } from './users.js';

/** What the settings say about the accounts that the server makes itself. */
export interface FirstStartSettings {
  /** `security.initialLogin.username`; empty: `admin`. */
  readonly username: string;
  /** `security.initialLogin.password`; empty: a random one. */
  readonly password: string;
  /** Whether a global key is set. */
  readonly globalKey: boolean;
}

/**
 * Makes what must be there before the first login: the server's teams, the first administrator, and the user behind the
 * global key. `announce` shows a made-up password to the operator; it is called once in the life of a store.
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
    // Without a user somebody else, another server on this store, was quicker.
    if (user !== undefined) log.info({ userId: user.id }, 'the first administrator was made');
    if (user !== undefined && madeUp !== undefined)
      announce(
        `First administrator: user name ${username}, password ${madeUp} (shown once; change it after the first login)`,
      );
  }
  await prepareApiUser(users, teams, settings.globalKey);
}

/**
 * The built-in user exists while the key is set; it is switched off, not deleted, when the setting goes, so that it
 * keeps its id.
 */
async function prepareApiUser(users: Users, teams: Teams, wanted: boolean): Promise<void> {
  const present = await users.byName(API_USER);
  if (present === undefined) {
    if (wanted)
      await users.createOwn({ username: API_USER, password: null, role: INTERNAL_ROLE, teamId: teams.internalId });
  } else if (present.enabled !== wanted) await users.change(present.id, { enabled: wanted }, true);
}
