import { isQuireError, type Logger, type Mailer, type MailMessage } from '@quire/registry';
import { isMailAddress, type LoginServices, type User } from '../../accounts/index.js';
import { languageHints } from '../../accounts/endpoints/index.js';
import { mailWords, type MailWords } from '../../network/mail/index.js';
import type { Settings } from '../../settings/index.js';
import type { BackupEnd } from '../../store/index.js';

export interface BackupMailsDeps {
  readonly settings: Settings;
  readonly mailer: Mailer;
  /** Undefined while login is off; then nobody can be written to. */
  readonly login: LoginServices | undefined;
  readonly log: Logger;
}

const SETTING = 'premium.enterpriseFeatures.databaseNotifications';
const MB = 1024 * 1024;

/** Writes to administrators when a backup was made or restored, or could not be (`databaseNotifications.*`). */
export class BackupMails {
  constructor(private readonly deps: BackupMailsDeps) {}

  /** Warns about notifications that nobody would get. */
  start(): void {
    const { mailer, login, log } = this.deps;
    const wanted = (['backup', 'import'] as const).some((act) => this.#wants(act, true) || this.#wants(act, false));
    if (!wanted || (mailer.usable && login !== undefined)) return;
    log.warn(
      {},
      `${SETTING} is on, but nobody gets these mails: they need mail.enabled with mail.host, and administrators ` +
        '(security.enableLogin) whose user names are mail addresses',
    );
  }

  /** Never rejects: a mail that cannot be sent changes nothing about the backup. */
  async report(end: BackupEnd): Promise<void> {
    const { mailer, log, login } = this.deps;
    if (!this.#wants(end.act, !('error' in end)) || !mailer.usable || login === undefined) return;
    try {
      const { users } = login.accounts;
      for (const user of (await users.everybody()).filter(isReachableAdministrator)) {
        const words = await mailWords(await languageHints(this.deps.settings, {}, { users, id: user.id }));
        await mailer
          .send(backupMail(user.username, end, this.deps.settings.get('ui.appNameNavbar') || 'Quire', words))
          .catch((error: unknown) => log.warn({ err: error }, 'an administrator got no mail about a backup'));
      }
    } catch (error) {
      log.warn({ err: error }, 'administrators got no mail about a backup');
    }
  }

  #wants(act: BackupEnd['act'], successful: boolean): boolean {
    return this.deps.settings.get(`${SETTING}.${act}s.${successful ? 'successful' : 'failed'}`);
  }
}

function isReachableAdministrator({ role, enabled, username }: User): boolean {
  return role === 'ROLE_ADMIN' && enabled && isMailAddress(username);
}

function backupMail(to: string, end: BackupEnd, app: string, { t, mail }: MailWords): MailMessage {
  if ('error' in end) {
    const reason = isQuireError(end.error) ? end.error.message : t('The log of the server says why.');
    return end.act === 'backup'
      ? mail(to, t('Backup of {app} failed', { app }), [
          t('The database of {app} could not be backed up.', { app }),
          reason,
          t('Earlier backups are not affected.'),
        ])
      : mail(to, t('Restoring a backup of {app} failed', { app }), [
          t('A backup of the database of {app} was not accepted.', { app }),
          reason,
          t('Nothing was changed.'),
        ]);
  }
  if (end.act === 'import')
    return mail(to, t('A backup of {app} will be restored', { app }), [
      t('A backup of the database of {app} was checked. It takes the place of the data at the next start.', { app }),
      t('Records: {count}', { count: String(end.records) }),
    ]);
  const { name, size } = end.backup;
  return mail(to, t('Backup of {app} made', { app }), [
    t('The database of {app} was backed up.', { app }),
    `${name}\n${(size / MB).toFixed(1)} MB`,
  ]);
}
