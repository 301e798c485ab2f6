import {
  InputError,
  OperationalError,
  type Outbound,
  type SettingsReader,
  type TimeStampAuthority,
} from '@quire/registry';

/**
 * Public authorities that every server allows, in the order in which clients show them (`docs/interface/signing.yml`,
 * security.timestamp).
 */
export const TSA_PRESETS: readonly { readonly label: string; readonly url: string }[] = [
  { label: 'DigiCert', url: 'http://timestamp.digicert.com' },
  { label: 'Sectigo', url: 'http://timestamp.sectigo.com' },
  { label: 'SSL.com', url: 'http://ts.ssl.com' },
  { label: 'FreeTSA', url: 'https://freetsa.org/tsr' },
  { label: 'MeSign', url: 'http://tsa.mesign.com' },
];

const LIMITS = { timeoutMs: 30_000, maxBytes: 1024 * 1024, redirects: 0 } as const;
/** A request (RFC 3161, 2.4.1) holds a hash, a nonce and little more; anything longer is refused. */
const MAX_REQUEST = 256;

/**
 * Time stamp authorities over HTTP (RFC 3161, 3.4). Only those that the settings or the presets name are asked; what
 * they answer is for the caller to check.
 */
export class HttpTimeStampAuthority implements TimeStampAuthority {
  readonly #allowed: ReadonlySet<string>;
  readonly #fallback: string;

  constructor(
    settings: SettingsReader,
    private readonly outbound: Outbound,
  ) {
    this.#fallback = settings.get<string>('security.timestamp.defaultTsaUrl').trim();
    const named = [
      ...TSA_PRESETS.map(({ url }) => url),
      this.#fallback,
      ...settings.get<readonly string[]>('security.timestamp.customTsaUrls'),
    ];
    this.#allowed = new Set(named.flatMap((url) => comparable(url) ?? []));
  }

  async check(url: string): Promise<void> {
    this.#chosen(url);
  }

  async ask(url: string, request: string, signal?: AbortSignal): Promise<string> {
    const address = this.#chosen(url);
    const body = Buffer.from(request, 'base64');
    if (body.length === 0 || body.length > MAX_REQUEST)
      throw new InputError('INPUT_INVALID', { detail: `a time stamp request has 1 to ${MAX_REQUEST} bytes` });
    const remote = `The time stamp authority ${new URL(address).host}`;
    const answer = await this.outbound.call(
      {
        url: address,
        field: 'tsaUrl',
        remote,
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        body,
        limits: LIMITS,
      },
      signal,
    );
    if (answer.status !== 200)
      throw new OperationalError('REMOTE_ANSWER', { remote, detail: `with status ${answer.status}` });
    return Buffer.from(answer.body).toString('base64');
  }

  #chosen(url: string): string {
    const wanted = url.trim() === '' ? this.#fallback : url.trim();
    const key = comparable(wanted);
    if (key === undefined || !this.#allowed.has(key))
      throw new InputError('TSA_NOT_ALLOWED', { found: wanted.slice(0, 200) });
    return wanted;
  }
}

/**
 * Scheme and host in lower case, all else as written: an address with another query or path is another one. Undefined
 * for anything but an HTTP address.
 */
function comparable(url: string): string | undefined {
  const [, scheme = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url.trim()) ?? [];
  return authority === '' || !URL.canParse(url.trim())
    ? undefined
    : `${scheme.toLowerCase()}://${authority.toLowerCase()}${rest}`;
}
