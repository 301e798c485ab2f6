import type { CallSite, MailMessage } from '@quire/registry';
import type { IssuedReset } from '../index.js';
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

function appName(settings: Settings): string {
  return settings.get('ui.appNameNavbar') || 'Quire';
}

/** Returns the address of the server that the operator configured; empty if there is none. */
export function configuredAddress(settings: Pick<Settings, 'get'>): string {
  return (settings.get('system.frontendUrl') || settings.get('system.backendUrl')).replace(/\/+$/, '');
}

function loginLine(settings: Settings): string {
  const address = configuredAddress(settings);
  return address === '' ? '' : `\nLog in at ${address}/login\n`;
}

/** A moment in UTC, to the minute. */
function utc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Returns the mail to an invited person: with the link or, if the server does not know its public address, with the
 * path of the link.
 */
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
      : `To choose a password, open this page of ${name} (add it to the address of the server; the person who ` +
        `invited you knows it):\n\n${place.path}`;
  return {
    to,
    subject: `Your invitation to ${name}`,
    text: `You are invited to ${name}. ${link}\n\n` + `The link works once, until ${utc(expiresAt)}.\n`,
  };
}

/** Returns the mail to a new user with the account and its first password. */
export function accountMail(to: string, password: string, settings: Settings): MailMessage {
  const name = appName(settings);
  return {
    to,
    subject: `Your account on ${name}`,
    text:
      `An account on ${name} was created for you.\n\nUser name: ${to}\nPassword: ${password}\n` +
      `${loginLine(settings)}\nPlease change the password after the first login.\n`,
  };
}

/** Returns the mail to a user whose password an administrator has changed. */
export function passwordMail(to: string, password: string | undefined, settings: Settings): MailMessage {
  const name = appName(settings);
  const sentence = password === undefined ? 'Ask the administrator for it.' : `Your new password is: ${password}`;
  return {
    to,
    subject: `Your password on ${name}`,
    text: `An administrator has changed the password of your account on ${name}. ${sentence}\n${loginLine(settings)}`,
  };
}

/**
 * Returns the mail with the link that resets a password. The token is in the fragment, which browsers send to no
 * server: it appears in no log.
 */
export function passwordResetMail({ user, token, expiresAt }: IssuedReset, settings: Settings): MailMessage {
  const name = appName(settings);
  return {
    to: user.username,
    subject: `Reset your password on ${name}`,
    text:
      `Somebody asked to reset the password of your account on ${name}. If it was you, ` +
      `choose a new password here:\n\n` +
      `${configuredAddress(settings)}/reset#${token}\n\n` +
      `The link works once, until ${utc(expiresAt)}. If it was not you, ignore this mail: your password stays as it ` +
      'is.\n',
  };
}

/** Returns the mail to a user whose password was reset with a link. */
export function passwordWasResetMail(to: string, settings: Settings): MailMessage {
  const name = appName(settings);
  return {
    to,
    subject: `Your password on ${name} was changed`,
    text:
      `The password of your account on ${name} was changed with a link from a mail to this address, and all sessions ` +
      `were ended. If it was not you, tell an administrator at once.\n${loginLine(settings)}`,
  };
}
