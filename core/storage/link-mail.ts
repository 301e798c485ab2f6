import type { MailMessage } from '@quire/registry';
import { type LanguageHints, mailWords } from '../network/mail/index.js';
import type { Settings } from '../settings/index.js';
import type { FileRecord, LinkRecord } from './model.js';

/** Returns the mail with the link to a shared file. */
export async function linkMail(
  to: string,
  link: LinkRecord,
  file: FileRecord,
  { settings, hints }: { readonly settings: Pick<Settings, 'get'>; readonly hints: LanguageHints },
): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = settings.get('ui.appNameNavbar') || 'Quire';
  const time =
    link.expiresAt === null
      ? undefined
      : `${new Date(link.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return mail(to, t('A file was shared with you on {app}', { app }), [
    t('The file "{file}" was shared with you on {app}:', { file: file.fileName, app }),
    { link: `${settings.get('system.frontendUrl').replace(/\/+$/, '')}/share/${link.id}` },
    ...(time === undefined ? [] : [t('The link works until {time}.', { time })]),
  ]);
}
