import type { CallSite, MailMessage } from '@quire/registry';
import type { Settings } from '../../settings/index.js';

/**
 * Address of the server for people: `system.frontendUrl`, else `given`, else `system.backendUrl`, else where the call
 * came to (`docs/interface/auth.yml`, invite/generate). Only a `believed` one may stand in a mail (OWASP, host header
 * injection).
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

function appName(settings: Settings): string {
  return settings.get('ui.appNameNavbar') || 'Quire';
}

function loginLine(settings: Settings): string {
  const address = settings.get('system.frontendUrl') || settings.get('system.backendUrl');
  return address === '' ? '' : `\nLog in at ${address.replace(/\/+$/, '')}/login\n`;
}

/** Tells an invited person the link, or, where the address of the server is not certain, what comes after it. */
export function inviteMail(
  to: string,
  place: { readonly url: string } | { readonly path: string },
  expiresAt: Date,
  settings: Settings,
): MailMessage {
  const name = appName(settings);
  const link =
    'url' in place
      ? `Choose a password here:\n\n${place.url}`
      : `To choose a password, open this page of ${name} (put it behind the address by which you reach it; ` +
        `whoever invited you knows that):\n\n${place.path}`;
  return {
    to,
    subject: `Your invitation to ${name}`,
    text:
      `You are invited to ${name}. ${link}\n\n` +
      `The link works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.\n`,
  };
}

/** Tells a new user the account and its first password. */
export function accountMail(to: string, password: string, settings: Settings): MailMessage {
  const name = appName(settings);
  return {
    to,
    subject: `Your account on ${name}`,
    text:
      `An account on ${name} was made for you.\n\nUser name: ${to}\nPassword: ${password}\n` +
      `${loginLine(settings)}\nPlease change the password after the first login.\n`,
  };
}

/** Tells a user that an administrator set another password. */
export function passwordMail(to: string, password: string | undefined, settings: Settings): MailMessage {
  const name = appName(settings);
  const told = password === undefined ? 'Ask the administrator for it.' : `It is: ${password}`;
  return {
    to,
    subject: `Your password on ${name}`,
    text: `An administrator has set another password for your account on ${name}. ${told}\n${loginLine(settings)}`,
  };
}
