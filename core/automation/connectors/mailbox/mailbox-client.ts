import { isIP } from 'node:net';
import type { ImapFlow } from 'imapflow';
import { isQuireError } from '@quire/registry';
import { allowedAddress, authorities } from '../../../network/outbound/index.js';
import type { Settings } from '../../../settings/index.js';
import { invalid, unreachable } from '../faults.js';
import type { MailboxOptions } from './mailbox-options.js';

const CONNECT_MS = 15_000;
const SILENCE_MS = 120_000;
/** Answers are structures of messages and pieces of attachments; a server that sends more is broken. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Connects and logs in. Rejects with SOURCE_INVALID that names the option, and SOURCE_UNREACHABLE. */
export async function connectMailbox(options: MailboxOptions, settings: Settings): Promise<ImapFlow> {
  const address = await addressOf(options, settings);
  const [{ ImapFlow: Client }, ca] = await Promise.all([import('imapflow'), authorities(settings)]);
  const client = new Client({
    host: address,
    port: options.port,
    ...(isIP(options.host) === 0 ? { servername: options.host } : {}),
    secure: options.security === 'tls',
    doSTARTTLS: options.security === 'starttls',
    auth: { user: options.username, pass: options.password },
    tls: { ca },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxLineLength: MOST_BYTES,
    maxLiteralSize: MOST_BYTES,
    maxResponseSize: 2 * MOST_BYTES,
  });
  // Without a listener a lost connection would end the process; the next command rejects with it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw connectionFault(error, options);
  }
}

async function addressOf({ host }: MailboxOptions, settings: Settings): Promise<string> {
  try {
    return await allowedAddress(host, 'host', settings);
  } catch (error) {
    if (isQuireError(error))
      throw invalid('SOURCE', 'host', `cannot be used: ${error.message.replace(/\.$/, '')}`, error);
    throw unreachable('SOURCE', `the host ${host} was not found (${codeOf(error)})`, error);
  }
}

/** An error of a connection as one of the source. What the server says is left out: it may repeat the login. */
function connectionFault(error: unknown, { host, port }: MailboxOptions): Error {
  if ((error as { authenticationFailed?: unknown }).authenticationFailed === true)
    return invalid('SOURCE', 'password', `or "username" was rejected by ${host}`, error);
  return mailboxFault(error, `${host}:${port} cannot be reached`);
}

/** An error of a command as SOURCE_UNREACHABLE. */
export function mailboxFault(error: unknown, what: string): Error {
  return isQuireError(error) ? error : unreachable('SOURCE', `${what} (${codeOf(error)})`, error);
}

function codeOf(error: unknown): string {
  const { code, serverResponseCode } = (error ?? {}) as { code?: unknown; serverResponseCode?: unknown };
  return [serverResponseCode, code].find((each): each is string => typeof each === 'string') ?? 'the connection failed';
}
