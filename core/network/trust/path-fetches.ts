import { createHash } from 'node:crypto';
import { InputError, isQuireError, OperationalError, type Logger, type Outbound } from '@quire/registry';

type Kind = 'issuers' | 'ocsp' | 'crl';

/** Time and size: those of reliability's table S1 for lists, less for what is small. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES: Readonly<Record<Kind, number>> = { issuers: 256 * 1024, ocsp: 128 * 1024, crl: 10 * 1024 * 1024 };
const MAX_URL = 2048;
/** A request names one certificate. */
const MAX_REQUEST = 1024;
const PARALLEL = 8;
/**
 * Answers are cached for this long: less than the clock difference that revocation data is allowed, so that none gets
 * too old here.
 */
const KEPT_MS = 4 * 60_000;
/** Who does not answer is left alone for so long: one dead responder must not cost every signature five seconds. */
const FAILED_MS = 30_000;
const MAX_KEPT_BYTES = 48 * 1024 * 1024;
const MAX_KEPT = 2_000;
const ACCEPT: Readonly<Record<Kind, string>> = {
  issuers: 'application/pkix-cert, application/pkcs7-mime',
  ocsp: 'application/ocsp-response',
  crl: 'application/pkix-crl',
};

interface Kept {
  readonly until: number;
  readonly answer: string | null;
}

/**
 * Fetches what certificates point to, which is where anybody who writes a certificate wants the server to call: through
 * the guarded client, bounded in size, time and number at once, GET of an address or POST of a small OCSP request and
 * nothing else. How often one run may ask is bounded by its token.
 */
export class PathFetches {
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #running = 0;

  constructor(
    private readonly outbound: Outbound,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The answer in base64, null when there is none. Rejects with CANCELLED, and INPUT_INVALID for any other request.
   */
  async get(kind: Kind, url: string, request: string | null, signal?: AbortSignal): Promise<string | null> {
    const body = this.#checked(kind, url, request);
    const key = createHash('sha256')
      .update(JSON.stringify([kind, url, request]))
      .digest('base64');
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > this.now()) return kept.answer;
    await this.#enter(signal);
    try {
      const answer = await this.#call(kind, url, body, signal);
      this.#keep(key, answer);
      return answer;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #call(
    kind: Kind,
    url: string,
    body: Uint8Array | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    try {
      const call = {
        url,
        field: 'fileInput',
        remote: 'The server that a certificate names',
        limits: { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES[kind], redirects: body === undefined ? 3 : 0 },
      };
      const { status, body: answer } = await this.outbound.call(
        body === undefined
          ? { ...call, headers: { accept: ACCEPT[kind] } }
          : {
              ...call,
              method: 'POST',
              headers: { 'content-type': 'application/ocsp-request', accept: ACCEPT[kind] },
              body,
            },
        signal,
      );
      return status === 200 && answer.length > 0 ? Buffer.from(answer).toString('base64') : null;
    } catch (error) {
      if (!isQuireError(error) || signal?.aborted === true) throw error;
      this.log.debug({ kind, code: error.code }, 'what a certificate points to could not be fetched');
      return null;
    }
  }

  #checked(kind: unknown, url: unknown, request: unknown): Uint8Array | undefined {
    const refuse = (detail: string): never => {
      throw new InputError('INPUT_INVALID', { detail });
    };
    if (kind !== 'issuers' && kind !== 'ocsp' && kind !== 'crl')
      return refuse('certificates, OCSP answers and lists are fetched');
    if (typeof url !== 'string' || url.length > MAX_URL) return refuse(`an address has at most ${MAX_URL} characters`);
    if (kind !== 'ocsp') return request === null ? undefined : refuse('only OCSP is asked with a request');
    const body =
      typeof request === 'string' && request.length <= MAX_REQUEST * 2
        ? Buffer.from(request, 'base64')
        : Buffer.alloc(0);
    return body[0] === 0x30 && body.length <= MAX_REQUEST
      ? body
      : refuse(`an OCSP request has 1 to ${MAX_REQUEST} bytes`);
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted === true) throw new OperationalError('CANCELLED');
    if (this.#running++ < PARALLEL) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #keep(key: string, answer: string | null): void {
    this.#drop(key);
    this.#kept.set(key, { answer, until: this.now() + (answer === null ? FAILED_MS : KEPT_MS) });
    this.#bytes += answer?.length ?? 0;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_KEPT_BYTES && this.#kept.size <= MAX_KEPT) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.answer?.length ?? 0;
    this.#kept.delete(key);
  }
}
