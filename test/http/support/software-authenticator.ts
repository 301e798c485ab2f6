import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Signature algorithms by their numbers (IANA COSE Algorithms). */
export type Algorithm = -7 | -8 | -257;

/** What `auth/passkeys/registration/begin` answers in `publicKey`. */
export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}

/** What `auth/passkeys/login/begin` answers in `publicKey`. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials: readonly unknown[];
}

/** What an attacker, or a broken device, does differently. */
export interface Differently {
  readonly origin?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** Flags of the authenticator data (WebAuthn Level 3, 6.1). */
  readonly flags?: number;
  readonly counter?: number;
  /** Undefined leaves it out. */
  readonly userHandle?: string | undefined;
  readonly id?: string;
  /** Signs with this key. */
  readonly signedBy?: KeyObject;
  readonly signature?: Buffer;
  readonly clientDataJSON?: string;
}

/** What a new passkey does differently. */
export interface CreatedDifferently extends Differently {
  readonly attestation?: readonly [format: string, statement: Cbor];
  readonly publicKey?: Cbor;
  /** Appended to the authenticator data. */
  readonly tail?: Buffer;
}

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor> | readonly Cbor[];

const PRESENT = 0x01;
const VERIFIED = 0x04;
const SYNCABLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;
export const flags = { PRESENT, VERIFIED, SYNCABLE, BACKED_UP, ATTESTED } as const;

/** A passkey of a device, in software (WebAuthn Level 3, 6): it does whatever a test wants. */
export class SoftwarePasskey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  counter = 0;
  userHandle: string | undefined;

  constructor(
    private readonly origin: string,
    private readonly algorithm: Algorithm = -7,
    rsaBits = 2048,
  ) {
    const { publicKey, privateKey } =
      algorithm === -7
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : algorithm === -8
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('rsa', { modulusLength: rsaBits });
    this.id = randomBytes(32).toString('base64url');
    this.privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Creates the passkey: the `credential` of `auth/passkeys/registration/finish`. */
  create(options: CreationOptions, more: CreatedDifferently = {}): Record<string, unknown> {
    this.userHandle = options.user.id;
    const id = Buffer.from(more.id ?? this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      authenticatorData(more.rpId ?? options.rp.id, more.flags ?? PRESENT | VERIFIED | ATTESTED, this.#count(more)),
      Buffer.alloc(16),
      length,
      id,
      cbor(more.publicKey ?? this.#coseKey()),
      more.tail ?? Buffer.alloc(0),
    ]);
    const [fmt, attStmt] = more.attestation ?? ['none', new Map<string, Cbor>()];
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, more),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers a login: the `credential` of `auth/passkeys/login/finish`. */
  get(options: RequestOptions, more: Differently = {}): Record<string, unknown> {
    const authData = authenticatorData(more.rpId ?? options.rpId, more.flags ?? PRESENT | VERIFIED, this.#count(more));
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, more);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const key = more.signedBy ?? this.privateKey;
    const signature = sign(this.algorithm === -8 ? null : 'sha256', Buffer.concat([authData, hash]), key);
    const userHandle = 'userHandle' in more ? more.userHandle : this.userHandle;
    return this.#credential(
      {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: (more.signature ?? signature).toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
      more.id,
    );
  }

  #credential(response: object, id = this.id): Record<string, unknown> {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #count({ counter }: Differently): number {
    return counter ?? this.counter;
  }

  #clientData(type: string, challenge: string, more: Differently): string {
    const data = {
      type: more.type ?? type,
      challenge: more.challenge ?? challenge,
      origin: more.origin ?? this.origin,
      crossOrigin: more.crossOrigin ?? false,
      ...(more.topOrigin === undefined ? {} : { topOrigin: more.topOrigin }),
    };
    return Buffer.from(more.clientDataJSON ?? JSON.stringify(data)).toString('base64url');
  }

  /** The public key (RFC 9053, 7.1 and 7.2; RFC 8230, 4). */
  #coseKey(): Cbor {
    const jwk = this.#publicKey.export({ format: 'jwk' }) as Readonly<Record<string, string>>;
    const bytes = (name: string): Buffer => Buffer.from(jwk[name] ?? '', 'base64url');
    if (this.algorithm === -8) return coseKey([1, 1], [3, -8], [-1, 6], [-2, bytes('x')]);
    if (this.algorithm === -257) return coseKey([1, 3], [3, -257], [-1, bytes('n')], [-2, bytes('e')]);
    return coseKey([1, 2], [3, -7], [-1, 1], [-2, bytes('x')], [-3, bytes('y')]);
  }
}

/** A COSE key of these parameters. */
export function coseKey(...parameters: readonly (readonly [number, Cbor])[]): Cbor {
  return new Map(parameters);
}

function authenticatorData(rpId: string, bits: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(bits);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
}

/** Encodes a value (RFC 8949, 3). */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, item]) => [cbor(name), cbor(item)])]);
  const list = value as readonly Cbor[];
  return Buffer.concat([head(4, list.length), ...list.map(cbor)]);
}

function head(major: number, count: number): Buffer {
  const first = major << 5;
  if (count < 24) return Buffer.from([first | count]);
  if (count < 0x100) return Buffer.from([first | 24, count]);
  return Buffer.from([first | 25, count >> 8, count & 0xff]);
}
