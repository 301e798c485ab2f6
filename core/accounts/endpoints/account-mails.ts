import type { CallSite, EndpointRequest, MailMessage } from '@quire/registry';
import { type LanguageHints, type MailParagraph, mailWords, type MailWords } from '../../network/mail/index.js';
import type { IssuedReset, LoginServices } from '../index.js';
import type { Settings } from '../../settings/index.js';

/**
 * Returns the public address of the server: `system.frontendUrl`, else `given`, else `system.backendUrl`, else the
 * address of the request (`docs/interface/auth.yml`, invite/generate). Only an address with `believed: true` may be
 * used in a mail (OWASP, host header injection).
 */
export function publicAddress(
  settings: Pick<Settings, 'get'>,
  given: string | undefined,
  site: CallSite | undefined,
): CallSite {
  const set = settings.get('system.frontendUrl') || given || settings.get('system.backendUrl');
  if (set !== '') return { url: set.replace(/\/+$/, ''), believed: true };
  return site ?? { url: settings.get('system.rootUriPath'), believed: false };
}

/** What a mail of an account is written with. */
export interface MailBasis {
  readonly settings: Settings;
  readonly hints: LanguageHints;
}

/** What is known about the language of the receiver: their own setting, and the call that causes the mail. */
export async function languageHints(
  settings: Pick<Settings, 'get'>,
  headers: EndpointRequest['headers'],
  receiver?: {
    readonly users: Pick<LoginServices['accounts']['users'], 'settingsOf'>;
    readonly id: string | undefined;
  },
): Promise<LanguageHints> {
  const own = receiver?.id === undefined ? '{}' : await receiver.users.settingsOf(receiver.id);
  return {
    setting: languageOf(own),
    accepted: headers['accept-language'],
    usual: settings.get('system.defaultLocale'),
  };
}

/** The member `language` of the settings that a user has saved. */
function languageOf(userSettings: string): string | undefined {
  const { language } = JSON.parse(userSettings) as { readonly language?: unknown };
  return typeof language === 'string' ? language : undefined;
}

function appName(settings: Settings): string {
  return settings.get('ui.appNameNavbar') || 'Quire';
}

/** Returns the address of the server that the operator configured; empty if there is none. */
export function configuredAddress(settings: Pick<Settings, 'get'>): string {
  return (settings.get('system.frontendUrl') || settings.get('system.backendUrl')).replace(/\/+$/, '');
}

function loginLine(t: MailWords['t'], settings: Settings): readonly MailParagraph[] {
  const address = configuredAddress(settings);
  return address === '' ? [] : [t('Log in here:'), { link: `${address}/login` }];
}

/** A moment in UTC, to the minute. */
function utc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Returns the mail to an invited person: with the link or, if the server does not know its public address, with the
 * path of the link.
 */
export async function inviteMail(
  to: string,
  place: { readonly url: string } | { readonly path: string },
  expiresAt: Date,
  { settings, hints }: MailBasis,
): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = appName(settings);
  const subject = t('Your invitation to {app}', { app });
  const end = t('The link works once, until {time}.', { time: utc(expiresAt) });
  if ('url' in place)
    return mail(to, subject, [
      t('You are invited to {app}. Choose a password here:', { app }),
      { link: place.url },
      end,
    ]);
  return mail(to, subject, [
    t('You are invited to {app}. To choose a password, open this page of {app}:', { app }),
    { link: place.path },
    t('Add it to the address of the server; the person who invited you knows it.'),
    end,
  ]);
}

/** Returns the mail to a new user with the account and its first password. */
export async function accountMail(to: string, password: string, { settings, hints }: MailBasis): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = appName(settings);
  return mail(to, t('Your account on {app}', { app }), [
    t('An account on {app} was created for you.', { app }),
    `${t('User name: {name}', { name: to })}\n${t('Password: {password}', { password })}`,
    ...loginLine(t, settings),
    t('Please change the password after the first login.'),
  ]);
}

/** Returns the mail to a user whose password an administrator has changed. */
export async function passwordMail(
  to: string,
  password: string | undefined,
  { settings, hints }: MailBasis,
): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = appName(settings);
  return mail(to, t('Your password on {app}', { app }), [
    t('An administrator has changed the password of your account on {app}.', { app }),
    password === undefined ? t('Ask the administrator for it.') : t('Your new password is: {password}', { password }),
    ...loginLine(t, settings),
  ]);
}

/**
 * Returns the mail with the link that resets a password. The token is in the fragment, which browsers send to no
 * server: it appears in no log.
 */
export async function passwordResetMail(
  { user, token, expiresAt }: IssuedReset,
  { settings, hints }: MailBasis,
): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = appName(settings);
  return mail(user.username, t('Reset your password on {app}', { app }), [
    t('Somebody asked to reset the password of your account on {app}. If it was you, choose a new password here:', {
      app,
    }),
    { link: `${configuredAddress(settings)}/reset#${token}` },
    `${t('The link works once, until {time}.', { time: utc(expiresAt) })} ` +
      t('If it was not you, ignore this mail: your password stays as it is.'),
  ]);
}

/** Returns the mail to a user whose password was reset with a link. */
export async function passwordWasResetMail(to: string, { settings, hints }: MailBasis): Promise<MailMessage> {
  const { t, mail } = await mailWords(hints);
  const app = appName(settings);
  return mail(to, t('Your password on {app} was changed', { app }), [
    t('The password of your account on {app} was changed with a link from a mail to this address.', { app }),
    t('All sessions were ended. If it was not you, tell an administrator at once.'),
    ...loginLine(t, settings),
  ]);
}
