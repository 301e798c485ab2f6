import type { SettingsReader } from '@quire/registry';

/** Milliseconds to connect, to be greeted, and without a word from the mail server. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Mails that follow one another share a connection, and with it the handshake and the login, of which many mail servers
 * allow few in a minute. One that has no mail for two seconds is closed. A mail is sent again by itself only when its
 * connection was lost before a byte of it was sent.
 */
const SHARED = { pool: true, maxConnections: 5, maxMessages: 100, maxRequeues: 1, idleTimeout: 2000 } as const;

/** How to reach the mail server, in the names of the SMTP library. */
export interface TransportOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly ignoreTLS: boolean;
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly tls: {
    readonly rejectUnauthorized: boolean;
    readonly ca?: string[];
    readonly checkServerIdentity?: () => undefined;
  };
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
  readonly pool: true;
  readonly maxConnections: number;
  readonly maxMessages: number;
  readonly maxRequeues: number;
  readonly idleTimeout: number;
}

/**
 * From the `mail.*` settings. The certificate must be issued by one of `authorities` for the name of the host, unless
 * `mail.sslTrust` names the host or `*`. `mail.sslCheckServerIdentity: false` accepts their certificates for any name.
 */
export function transportOptions(settings: SettingsReader, authorities?: string[]): TransportOptions {
  const host = settings.get<string>('mail.host');
  const user = settings.get<string>('mail.username');
  const trusted = settings.get<string>('mail.sslTrust').split(/[\s,]+/);
  return {
    host,
    port: settings.get<number>('mail.port'),
    secure: settings.get<boolean>('mail.sslEnable'),
    ignoreTLS: !settings.get<boolean>('mail.startTlsEnable') && !settings.get<boolean>('mail.startTlsRequired'),
    requireTLS: settings.get<boolean>('mail.startTlsRequired'),
    ...(user === '' ? {} : { auth: { user, pass: settings.get<string>('mail.password') } }),
    tls: {
      rejectUnauthorized: !trusted.includes('*') && !trusted.includes(host),
      ...(authorities === undefined ? {} : { ca: authorities }),
      ...(settings.get<boolean>('mail.sslCheckServerIdentity') ? {} : { checkServerIdentity: () => undefined }),
    },
    ...PATIENCE,
    ...SHARED,
  };
}
