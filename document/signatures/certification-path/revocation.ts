import { deltaAddresses, listFact, readList, type RevocationList } from './crl.js';
import { ocspFact, ocspRequest } from './ocsp.js';
import { accessAddresses, distributionPoints, type PathCertificate } from './path-certificate.js';
import { type Judgement, judge, type StatusFact, Unusable } from './status-fact.js';
import type { PathRequest, RevocationEvidence } from './types.js';

/** More data than this is not looked at: no document of good will carries so much for one signature. */
const MAX_EVIDENCE = 500;

/** Revocation status of one certificate. */
export type CertificateStatus =
  | Exclude<Judgement, { state: 'unusable' }>
  | { readonly state: 'unknown'; readonly why: string };

/**
 * Asks for the revocation of certificates: data that came with the document first, then the network where it may be
 * used.
 */
export class RevocationCheck {
  readonly #ocsp: readonly Uint8Array[];
  readonly #lists: readonly RevocationList[];
  readonly #used = { ocsp: new Set<Uint8Array>(), crl: new Set<Uint8Array>() };
  readonly #known = new Map<string, Promise<CertificateStatus>>();

  constructor(
    private readonly request: Pick<
      PathRequest,
      'revocation' | 'evidence' | 'fetch' | 'nonce' | 'at' | 'atIsProven' | 'now'
    >,
  ) {
    const { mode } = request.revocation;
    this.#ocsp = mode === 'crl' || mode === 'none' ? [] : (request.evidence?.ocsp ?? []).slice(0, MAX_EVIDENCE);
    this.#lists =
      mode === 'ocsp' || mode === 'none'
        ? []
        : (request.evidence?.crl ?? []).slice(0, MAX_EVIDENCE).flatMap((der) => readList(der) ?? []);
  }

  /** The evidence that was used. */
  get used(): RevocationEvidence {
    return { ocsp: [...this.#used.ocsp], crl: [...this.#used.crl] };
  }

  /** Whether the certificate, which the issuer signed, was revoked. */
  of(certificate: PathCertificate, issuer: PathCertificate): Promise<CertificateStatus> {
    const key = `${certificate.fingerprint} ${issuer.fingerprint}`;
    const status = this.#known.get(key) ?? this.#find(certificate, issuer);
    this.#known.set(key, status);
    return status;
  }

  async #find(certificate: PathCertificate, issuer: PathCertificate): Promise<CertificateStatus> {
    const { at, atIsProven, now } = this.request;
    const reasons: string[] = [];
    // A claimed time needs data of today: what was good then may be known to be bad by now. What is at hand of then is
    // the last resort.
    const fresh = this.#inEvidence(certificate, issuer, atIsProven ? at : now, reasons);
    if (fresh !== undefined) return fresh;
    const fetched = await this.#inNetwork(certificate, issuer, reasons);
    if (fetched !== undefined) return fetched;
    const old = atIsProven ? undefined : this.#inEvidence(certificate, issuer, at, []);
    return (
      old ?? {
        state: 'unknown',
        why: reasons.at(-1) ?? 'no revocation data came with the document, and none is fetched',
      }
    );
  }

  /** A revocation anywhere outweighs what else is there. */
  #inEvidence(
    certificate: PathCertificate,
    issuer: PathCertificate,
    freshAt: Date,
    reasons: string[],
  ): CertificateStatus | undefined {
    const answers = this.#ocsp.map((der) =>
      this.#judged(certificate, freshAt, () => ocspFact(der, certificate, issuer), 'ocsp', [der]),
    );
    const own = this.#lists.filter(({ issuerKey }) => issuerKey === certificate.issuerKey);
    const deltas = own.filter(({ deltaOf }) => deltaOf !== undefined);
    const lists = own
      .filter(({ deltaOf }) => deltaOf === undefined)
      .map((list) => this.#fromList(list, deltas, certificate, issuer, freshAt));
    const found = [...answers, ...lists];
    if (lists.length === 0 && deltas.length > 0)
      reasons.push('only changes of a list came with the document, and not the list');
    const decisive = found.find(({ state }) => state === 'revoked') ?? found.find(({ state }) => state === 'good');
    for (const judgement of found)
      if (judgement.state === 'unusable' && judgement.why !== OTHER) reasons.push(judgement.why);
    return decisive === undefined ? undefined : this.#use(decisive);
  }

  async #inNetwork(
    certificate: PathCertificate,
    issuer: PathCertificate,
    reasons: string[],
  ): Promise<CertificateStatus | undefined> {
    const { request } = this;
    const {
      nonce,
      now,
      revocation: { mode },
    } = request;
    if (request.fetch === undefined) return undefined;
    const take = (judgement: Found): CertificateStatus | undefined => {
      if (judgement.state === 'unusable') reasons.push(judgement.why);
      return judgement.state === 'unusable' ? undefined : this.#use(judgement);
    };
    const responders = mode === 'crl' ? [] : accessAddresses(certificate, 'ocsp');
    const places =
      mode === 'ocsp'
        ? []
        : distributionPoints(certificate)
            .filter(({ special }) => !special)
            .flatMap(({ addresses }) => addresses)
            .slice(0, 3);
    if (responders.length + places.length === 0)
      reasons.push(
        mode === 'crl'
          ? 'the certificate does not say where its revocation list is'
          : 'the certificate does not say whom to ask for revocation',
      );
    for (const url of responders) {
      const answer = await request.fetch('ocsp', url, ocspRequest(certificate, issuer, nonce));
      if (answer === undefined) reasons.push('the OCSP responder could not be reached');
      const found =
        answer === undefined
          ? undefined
          : take(this.#judged(certificate, now, () => ocspFact(answer, certificate, issuer, nonce), 'ocsp', [answer]));
      if (found !== undefined) return found;
    }
    for (const url of places) {
      const bytes = await request.fetch('crl', url);
      const list = bytes === undefined ? undefined : readList(bytes);
      if (list === undefined) {
        reasons.push(
          bytes === undefined ? 'the revocation list could not be fetched' : 'the revocation list is malformed',
        );
        continue;
      }
      const deltas: RevocationList[] = [];
      for (const place of deltaAddresses(certificate, list))
        deltas.push(
          ...[await request.fetch('crl', place)].flatMap((der) => (der === undefined ? [] : (readList(der) ?? []))),
        );
      const found = take(this.#fromList(list, deltas, certificate, issuer, now));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The list with the newest delta that goes with it; without any where those fail. */
  #fromList(
    list: RevocationList,
    deltas: readonly RevocationList[],
    certificate: PathCertificate,
    issuer: PathCertificate,
    freshAt: Date,
  ): Found {
    for (const delta of deltas.toSorted((a, b) => b.thisUpdate.getTime() - a.thisUpdate.getTime()).slice(0, 3)) {
      const found = this.#judged(certificate, freshAt, () => listFact(list, certificate, issuer, delta), 'crl', [
        list.der,
        delta.der,
      ]);
      if (found.state !== 'unusable') return found;
    }
    return this.#judged(certificate, freshAt, () => listFact(list, certificate, issuer), 'crl', [list.der]);
  }

  #judged(
    certificate: PathCertificate,
    freshAt: Date,
    read: () => StatusFact,
    kind: 'ocsp' | 'crl',
    sources: readonly Uint8Array[],
  ): Found {
    try {
      return { ...judge(read(), certificate.notAfter, this.request, freshAt), kind, sources };
    } catch (error) {
      if (error instanceof Unusable) return { state: 'unusable', why: error.message, kind, sources };
      throw error;
    }
  }

  #use({ kind, sources, ...judgement }: Found): CertificateStatus | undefined {
    if (judgement.state === 'unusable') return undefined;
    for (const source of sources) this.#used[kind].add(source);
    return judgement;
  }
}

type Found = Judgement & { readonly kind: 'ocsp' | 'crl'; readonly sources: readonly Uint8Array[] };

/** Evidence of a document is about all its certificates: that some is about another one says nothing. */
const OTHER = 'the OCSP answer is about another certificate';
