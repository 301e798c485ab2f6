import { isIssuedBy } from './issued.js';
import {
  accessAddresses,
  extension,
  extensionOids,
  type PathCertificate,
  readPathCertificate,
} from './path-certificate.js';
import type { PathRequest } from './types.js';

const MAX_DEPTH = 16;
const MAX_INTERMEDIATES = 5000;
/** Signatures that are checked to find a path: a maze of cross-certificates must not cost more. */
const MAX_CHECKS = 400;
const MAX_ISSUER_FETCHES = 6;
const MAX_FETCHED = 20;

/** Anchors are long-lived lists: each is indexed once. */
const indexed = new WeakMap<readonly Uint8Array[], ReadonlyMap<string, readonly PathCertificate[]>>();

/** Looks for paths from a leaf to an anchor, each certificate signed by the next. */
export class PathFinder {
  readonly #pool = new Map<string, PathCertificate[]>();
  readonly #seen = new Set<string>();
  #checks = 0;
  #fetches = 0;
  #longest: readonly PathCertificate[] = [];

  constructor(private readonly request: Pick<PathRequest, 'intermediates' | 'anchors' | 'fetch' | 'signal'>) {
    for (const der of request.intermediates.slice(0, MAX_INTERMEDIATES)) this.#add(der);
  }

  /** The longest chain that was found; all there is when no path is. */
  get longest(): readonly PathCertificate[] {
    return this.#longest;
  }

  /** Not everything was tried. */
  get exhausted(): boolean {
    return this.#checks >= MAX_CHECKS;
  }

  /** Paths in the order of promise; the last certificate of each is an anchor. */
  async *from(leaf: PathCertificate): AsyncGenerator<readonly PathCertificate[], void> {
    yield* this.#onwards([leaf]);
  }

  async *#onwards(chain: readonly PathCertificate[]): AsyncGenerator<readonly PathCertificate[], void> {
    this.request.signal?.throwIfAborted();
    if (chain.length > this.#longest.length) this.#longest = chain;
    const current = chain.at(-1);
    if (current === undefined) return;
    if ((await this.#anchors(current.subjectKey)).some(({ fingerprint }) => fingerprint === current.fingerprint)) {
      yield chain;
      return;
    }
    if (chain.length >= MAX_DEPTH || this.exhausted) return;
    let found = false;
    const tried = new Set(chain.map(({ fingerprint }) => fingerprint));
    for (const offline of [true, false]) {
      if (!offline && (found || !(await this.#fetchIssuers(current)))) return;
      const anchors = await this.#anchors(current.issuerKey);
      const trusted = new Set(anchors.map(({ fingerprint }) => fingerprint));
      const candidates = [...anchors, ...(this.#pool.get(current.issuerKey) ?? [])].filter(
        ({ fingerprint }) => !tried.has(fingerprint),
      );
      for (const issuer of byPromise(candidates, current, trusted)) {
        // An authority under the same name and key is the same one: going through it again is a loop.
        if (
          tried.has(issuer.fingerprint) ||
          chain.some((below) => below.subjectKey === issuer.subjectKey && sameKey(below, issuer))
        )
          continue;
        tried.add(issuer.fingerprint);
        if (this.#checks++ >= MAX_CHECKS) return;
        if (!isIssuedBy(current, issuer)) continue;
        for await (const path of this.#onwards([...chain, issuer])) {
          found = true;
          yield path;
        }
      }
    }
  }

  async #anchors(nameKey: string): Promise<readonly PathCertificate[]> {
    const { anchors } = this.request;
    if (typeof anchors === 'function')
      return (await anchors([nameKey]))
        .flatMap((der) => readPathCertificate(der) ?? [])
        .filter(({ subjectKey }) => subjectKey === nameKey);
    let index = indexed.get(anchors);
    if (index === undefined) {
      index = bySubject(anchors);
      indexed.set(anchors, index);
    }
    return index.get(nameKey) ?? [];
  }

  /** Certificates from where the certificate says that its issuer's is; true when there are new ones. */
  async #fetchIssuers(certificate: PathCertificate): Promise<boolean> {
    const { request } = this;
    if (request.fetch === undefined || certificate.selfIssued) return false;
    let added = false;
    for (const url of accessAddresses(certificate, 'issuers')) {
      if (this.#fetches++ >= MAX_ISSUER_FETCHES) return added;
      const bytes = await request.fetch('issuers', url);
      for (const der of bytes === undefined ? [] : await certificatesIn(bytes)) added = this.#add(der) || added;
    }
    return added;
  }

  #add(der: Uint8Array): boolean {
    const certificate = readPathCertificate(der);
    if (certificate === undefined || this.#seen.has(certificate.fingerprint)) return false;
    this.#seen.add(certificate.fingerprint);
    const same = this.#pool.get(certificate.subjectKey);
    if (same === undefined) this.#pool.set(certificate.subjectKey, [certificate]);
    else same.push(certificate);
    return true;
  }
}

function bySubject(anchors: readonly Uint8Array[]): ReadonlyMap<string, readonly PathCertificate[]> {
  const index = new Map<string, PathCertificate[]>();
  for (const certificate of anchors.flatMap((der) => readPathCertificate(der) ?? []))
    index.set(certificate.subjectKey, [...(index.get(certificate.subjectKey) ?? []), certificate]);
  return index;
}

/** DER, PEM or a PKCS#7 bundle (RFC 5280, 4.2.2.1). The reader of those is large, and most paths need it not. */
async function certificatesIn(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
  const { readCertificates } = await import('../certificates/read-certificates.js');
  try {
    return readCertificates(bytes).slice(0, MAX_FETCHED);
  } catch {
    return [];
  }
}

/** Anchors first, then whose key the certificate points to (RFC 5280, 4.2.1.1), then what ends later. */
function byPromise(
  candidates: readonly PathCertificate[],
  below: PathCertificate,
  trusted: ReadonlySet<string>,
): readonly PathCertificate[] {
  const wanted = keyIdentifier(below, extensionOids.authorityKeyIdentifier);
  const rank = (candidate: PathCertificate): number => {
    const own = wanted === undefined ? undefined : keyIdentifier(candidate, extensionOids.subjectKeyIdentifier);
    return (trusted.has(candidate.fingerprint) ? 0 : 4) + (own === undefined ? 1 : own === wanted ? 0 : 2);
  };
  return candidates
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .toSorted((a, b) => a.rank - b.rank || b.candidate.notAfter.getTime() - a.candidate.notAfter.getTime())
    .map(({ candidate }) => candidate);
}

function keyIdentifier(certificate: PathCertificate, oid: string): string | undefined {
  try {
    const value = extension(certificate, oid);
    const bytes =
      oid === extensionOids.subjectKeyIdentifier
        ? value?.content
        : value?.inner().find(({ tag }) => tag === 0x80)?.content;
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('hex');
  } catch {
    return undefined;
  }
}

function sameKey(a: PathCertificate, b: PathCertificate): boolean {
  return Buffer.from(a.publicKeyInfo.raw).equals(b.publicKeyInfo.raw);
}
