import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupError } from '@quire/registry';
import { shortOrigin, type Settings } from '../../settings/index.js';
import type { LoginProvider } from '../model.js';

export const METADATA_KEY = 'security.saml2.idpMetadataUri';

/** Where the metadata of the identity provider is. */
export type MetadataPlace = { readonly url: string } | { readonly file: string };

/** What is set for SAML, with the keys and certificates. */
export interface SamlSettings extends LoginProvider {
  readonly metadata: MetadataPlace | undefined;
  /** Undefined where the metadata decide. */
  readonly issuer: string | undefined;
  readonly loginUrl: string | undefined;
  readonly logoutUrl: string | undefined;
  /** PEM. */
  readonly idpCertificates: readonly string[] | undefined;
  readonly key: KeyObject;
  /** PEM, of the key. */
  readonly certificate: string;
  readonly binding: 'redirect' | 'post';
  readonly nameIdFormat: 'persistent' | 'emailAddress' | 'unspecified';
  readonly attributes: {
    /** Empty: the NameID. */
    readonly subject: string;
    readonly username: string;
    readonly groups: string;
  };
  readonly secondFactorContexts: ReadonlySet<string>;
  readonly requestedContexts: readonly string[];
  readonly wantAssertionsSigned: boolean;
  readonly acceptSha1: boolean;
  readonly acceptUnsolicited: boolean;
  readonly skewMs: number;
}

type FileKey = 'security.saml2.idpCert' | 'security.saml2.privateKey' | 'security.saml2.spCert' | typeof METADATA_KEY;

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Reads the settings of SAML; undefined when it is off. Throws SETTINGS_INVALID. */
export function samlSettingsOf(settings: Settings): SamlSettings | undefined {
  const isOn = settings.get('security.enableLogin') && settings.get('security.saml2.enabled');
  return isOn && ['all', 'saml2'].includes(settings.get('security.loginMethod'))
    ? writtenSamlSettings(settings)
    : undefined;
}

/** The settings as they are written, whether SAML is on or off. Throws SETTINGS_INVALID. */
export function writtenSamlSettings(settings: Settings): SamlSettings {
  const { key, certificate } = ownKey(settings);
  return {
    id: registrationId(settings),
    name: settings.get('security.saml2.provider').trim() || 'SSO',
    protocol: 'saml',
    ...identityProviderOf(settings),
    key,
    certificate,
    binding: settings.get('security.saml2.requestBinding'),
    nameIdFormat: settings.get('security.saml2.nameIdFormat'),
    attributes: {
      subject: settings.get('security.saml2.subjectAttribute').trim(),
      username: settings.get('security.saml2.useAsUsername').trim(),
      groups: settings.get('security.saml2.groupsAttribute').trim(),
    },
    secondFactorContexts: new Set(settings.get('security.saml2.secondFactorContexts')),
    requestedContexts: settings.get('security.saml2.requestedContexts'),
    wantAssertionsSigned: settings.get('security.saml2.wantAssertionsSigned'),
    acceptSha1: settings.get('security.saml2.acceptSha1'),
    acceptUnsolicited: settings.get('security.saml2.acceptUnsolicited'),
    skewMs: settings.get('security.saml2.clockSkewSeconds') * 1000,
  };
}

/** A subject that an attribute names: apart from NameIDs, so that neither is mistaken for the other later. */
export function subjectOfAttribute(name: string, value: string): string {
  return `${name}=${value}`;
}

function registrationId(settings: Settings): string {
  const id = settings.get('security.saml2.registrationId').trim();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw invalid(settings, 'security.saml2.registrationId', `"${id}" may have letters, digits, - and _ only`);
  return id;
}

function identityProviderOf(
  settings: Settings,
): Pick<SamlSettings, 'metadata' | 'issuer' | 'loginUrl' | 'logoutUrl' | 'idpCertificates'> {
  const text = (key: 'idpIssuer' | 'idpSingleLoginUrl' | 'idpSingleLogoutUrl'): string | undefined =>
    settings.get(`security.saml2.${key}`).trim() || undefined;
  const found = {
    metadata: metadataPlace(settings),
    issuer: text('idpIssuer'),
    loginUrl: text('idpSingleLoginUrl'),
    logoutUrl: text('idpSingleLogoutUrl'),
    idpCertificates: settings.get('security.saml2.idpCert').trim() === '' ? undefined : idpCertificates(settings),
  };
  if (found.metadata !== undefined) return found;
  for (const [key, value] of [
    ['security.saml2.idpIssuer', found.issuer],
    ['security.saml2.idpSingleLoginUrl', found.loginUrl],
    ['security.saml2.idpCert', found.idpCertificates],
  ] as const)
    if (value === undefined)
      throw invalid(settings, key, `is empty; set it, or ${METADATA_KEY}, since security.saml2.enabled is true`);
  return found;
}

function metadataPlace(settings: Settings): MetadataPlace | undefined {
  const uri = settings.get(METADATA_KEY).trim();
  if (uri === '') return undefined;
  if (/^https?:\/\//i.test(uri)) {
    if (!URL.canParse(uri)) throw invalid(settings, METADATA_KEY, `"${uri}" is not an address`);
    return { url: uri };
  }
  readOf(settings, METADATA_KEY, uri);
  return { file: pathOf(settings, uri) };
}

function idpCertificates(settings: Settings): readonly string[] {
  const key = 'security.saml2.idpCert';
  const value = settings.get(key).trim();
  const found = certificatesIn(value.startsWith('-----') ? value : readOf(settings, key, value));
  if (found.length === 0) throw invalid(settings, key, 'there is no certificate in PEM form (BEGIN CERTIFICATE)');
  return found;
}

function ownKey(settings: Settings): Pick<SamlSettings, 'key' | 'certificate'> {
  const [keyName, certificateName] = ['security.saml2.privateKey', 'security.saml2.spCert'] as const;
  for (const name of [keyName, certificateName])
    if (settings.get(name).trim() === '')
      throw invalid(
        settings,
        name,
        'is empty, and SAML needs it. Make a key and a certificate with: openssl req -x509 -newkey rsa:3072 -nodes ' +
          '-days 3650 -subj /CN=quire -keyout saml.key -out saml.crt',
      );
  if (settings.get(keyName).includes('-----')) throw invalid(settings, keyName, 'must name a file, not be the key');
  const key = privateKey(settings, readOf(settings, keyName, settings.get(keyName).trim()));
  const [certificate] = certificatesIn(readOf(settings, certificateName, settings.get(certificateName).trim()));
  if (certificate === undefined)
    throw invalid(settings, certificateName, 'there is no certificate in PEM form (BEGIN CERTIFICATE)');
  if (!new X509Certificate(certificate).checkPrivateKey(key))
    throw invalid(settings, certificateName, `the certificate is not that of ${keyName}`);
  return { key, certificate };
}

function privateKey(settings: Settings, pem: string): KeyObject {
  const name = 'security.saml2.privateKey';
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw invalid(settings, name, 'is not a private key in PEM form without a passphrase');
  }
  if (key.asymmetricKeyType !== 'rsa') throw invalid(settings, name, 'must be an RSA key');
  return key;
}

/** The certificates of a PEM text, each as PEM; what is none is passed over. */
function certificatesIn(text: string): string[] {
  return (text.match(CERTIFICATES) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem).toString()];
    } catch {
      return [];
    }
  });
}

function readOf(settings: Settings, key: FileKey, value: string): string {
  const path = pathOf(settings, value);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw invalid(settings, key, `${path} cannot be read (${code})`);
  }
}

/** `classpath:` names a file in the folder of the settings: there is no class path here. */
function pathOf(settings: Settings, value: string): string {
  const { base, configs } = settings.paths;
  if (/^classpath:/i.test(value)) return join(configs, value.slice('classpath:'.length));
  if (/^file:\/\//i.test(value) && URL.canParse(value)) return fileURLToPath(value);
  return resolve(base, value.replace(/^file:/i, ''));
}

function invalid(
  settings: Settings,
  key: FileKey | `security.saml2.${'registrationId' | 'idpIssuer' | 'idpSingleLoginUrl'}`,
  detail: string,
): StartupError {
  return new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(key)),
    detail: `${key}: ${detail}`,
  });
}
