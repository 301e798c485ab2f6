import { readFile } from 'node:fs/promises';
import { isQuireError, type Outbound } from '@quire/registry';
import { SignInRefused } from '../model.js';
import { parseIdpMetadata, type Idp, type IdpMetadata, type Service } from './idp-metadata.js';
import { SamlFault } from './saml-fault.js';
import { METADATA_KEY, type MetadataPlace, type SamlSettings } from './saml-settings.js';

export interface IdpSourceDeps {
  readonly outbound: Pick<Outbound, 'call'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How long metadata are used, ms, unless they say less. */
const KEEP_MS = 600_000;
/** How soon metadata that could not be read, or did not fit, are read again: anybody may begin a login. */
const RETRY_MS = 5000;
const FETCH_MS = 8000;
const LARGEST = 8 * 1024 * 1024;

/** Finds out about the identity provider: from its metadata, and from the settings, which count more. */
export class IdpSource {
  #found: { readonly since: number; until: number; readonly idp: Promise<IdpMetadata> } | undefined;

  constructor(
    private readonly settings: SamlSettings,
    private readonly deps: IdpSourceDeps,
  ) {}

  /** Throws SignInRefused (`provider_unreachable`). */
  async get(): Promise<Idp> {
    const { metadata, issuer, loginUrl, logoutUrl, idpCertificates } = this.settings;
    const read = metadata === undefined ? undefined : await this.#read(metadata);
    return {
      entityId: read?.entityId ?? issuer ?? '',
      login: this.#services(loginUrl, read?.login),
      logout: this.#services(logoutUrl, read?.logout),
      certificates: idpCertificates ?? read?.certificates ?? [],
    };
  }

  /** Forgets metadata that are older than some seconds, since keys may have changed; false where that cannot help. */
  refresh(): boolean {
    const { metadata, idpCertificates } = this.settings;
    if (metadata === undefined || idpCertificates !== undefined || this.#found === undefined) return false;
    if (this.deps.now() - this.#found.since < RETRY_MS) return false;
    this.#found = undefined;
    return true;
  }

  #services(url: string | undefined, found: readonly Service[] = []): readonly Service[] {
    return url === undefined ? found : [{ binding: this.settings.binding, url, responseUrl: url }];
  }

  #read(place: MetadataPlace): Promise<IdpMetadata> {
    const now = this.deps.now();
    if (this.#found === undefined || this.#found.until <= now) {
      const idp = this.#load(place);
      const found = { since: now, until: now + KEEP_MS, idp };
      this.#found = found;
      idp.then(
        ({ keepMs = KEEP_MS, validUntil = Infinity }) => {
          found.until = Math.min(now + Math.max(Math.min(keepMs, KEEP_MS), RETRY_MS), validUntil);
        },
        () => (found.until = this.deps.now() + RETRY_MS),
      );
    }
    return this.#found.idp;
  }

  async #load(place: MetadataPlace): Promise<IdpMetadata> {
    const name = 'url' in place ? place.url : place.file;
    try {
      const xml = 'url' in place ? await this.#download(place.url) : await readFile(place.file, 'utf8');
      const found = parseIdpMetadata(xml, this.settings.issuer);
      if (found.validUntil !== undefined && found.validUntil <= this.deps.now())
        throw new SamlFault(`it was valid until ${new Date(found.validUntil).toISOString()} (validUntil)`);
      return found;
    } catch (error) {
      const isKnown = error instanceof SamlFault || isQuireError(error) || 'code' in (error as object);
      if (!isKnown) throw error;
      throw new SignInRefused(
        'provider_unreachable',
        `${this.settings.name} (${METADATA_KEY}): ${name} cannot be used: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  async #download(url: string): Promise<string> {
    const { status, body } = await this.deps.outbound.call({
      url,
      field: METADATA_KEY,
      ofOperator: true,
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      limits: { timeoutMs: FETCH_MS, maxBytes: LARGEST },
    });
    if (status !== 200) throw new SamlFault(`it answers ${status}`);
    return Buffer.from(body).toString('utf8');
  }
}
