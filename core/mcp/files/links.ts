import { timingSafeEqual } from 'node:crypto';
import type { ServerSecret } from '../../secrets/index.js';

/** What a link leads to: a file, or the JSON result of a job. */
export type LinkKind = 'file' | 'answer';

/** An address that, once signed, anybody who has it can open until it expires. */
export interface Link {
  readonly kind: LinkKind;
  /** Of the file or the job. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

const PURPOSE = 'mcp links';

/** Makes and checks links to results. They are signed, not stored. */
export class Links {
  constructor(
    private readonly secret: Pick<ServerSecret, 'digest'>,
    private readonly now: () => number,
  ) {}

  /** Returns the token of a link, for its address. */
  tokenOf({ kind, id, expiresAtMs }: Link): string {
    const text = JSON.stringify([kind, id, expiresAtMs]);
    return `${Buffer.from(text).toString('base64url')}.${this.secret.digest(PURPOSE, text)}`;
  }

  /** Returns the link of a token; undefined for one that was not made here or has expired. */
  open(token: string): Link | undefined {
    const [head = '', signature = ''] = token.split('.');
    const text = Buffer.from(head, 'base64url').toString('utf8');
    if (!isSame(signature, this.secret.digest(PURPOSE, text))) return undefined;
    const [kind, id, expiresAtMs] = JSON.parse(text) as [LinkKind, string, number];
    return expiresAtMs > this.now() ? { kind, id, expiresAtMs } : undefined;
  }

  /** Returns the secret part of the address to which one file may be uploaded. */
  uploadToken(fileId: string): string {
    return this.secret.digest('mcp uploads', fileId);
  }

  isUploadToken(fileId: string, token: string): boolean {
    return isSame(token, this.uploadToken(fileId));
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
