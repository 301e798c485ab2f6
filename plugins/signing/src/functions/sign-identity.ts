import {
  certificateFacts,
  openKeystore,
  pairIdentity,
  type SigningIdentity,
} from '@quire/document/signatures/certificates';
import { type CmsSigner, type SignatureScheme, signWith } from '@quire/document/signatures/cms';
import { InputError } from '@quire/registry/errors';

/** Who signs, and the form field that errors about the certificate name. */
export interface Signatory {
  readonly signer: CmsSigner;
  readonly field: string;
}

/** Keystores and keys as they were sent. */
export type SentIdentity =
  | {
      readonly kind: 'pair';
      readonly key: Uint8Array;
      readonly certificate: Uint8Array;
      readonly password?: string | undefined;
    }
  | {
      readonly kind: 'keystore';
      readonly field: 'p12File' | 'jksFile';
      readonly bytes: Uint8Array;
      readonly password?: string | undefined;
      readonly alias?: string | undefined;
    };

/** The server's own key: certificates and signatures, in base64, never the key itself. */
export interface DistantKeystore {
  certificates(): Promise<{ readonly certificate: string; readonly chain: readonly string[] }>;
  sign(data: string, scheme: SignatureScheme): Promise<string>;
}

/** Opens what was sent. Errors: those of `openKeystore` and `pairIdentity`, which never hold the password. */
export async function sentSignatory(sent: SentIdentity, signal?: AbortSignal): Promise<Signatory> {
  const watched = signal === undefined ? {} : { signal };
  if (sent.kind === 'pair') return { signer: signerOf(await pairIdentity({ ...sent, ...watched })), field: 'certFile' };
  const { field, bytes, password, alias } = sent;
  return { signer: signerOf(await openKeystore(bytes, password, { field, alias, ...watched })), field };
}

/** The server as signer. Errors: what the keystore rejects with. */
export async function serverSignatory(keystore: DistantKeystore): Promise<Signatory> {
  const { certificate, chain } = await keystore.certificates();
  return {
    field: 'certType',
    signer: {
      certificate: bytesOf(certificate),
      chain: chain.map(bytesOf),
      sign: async (data, scheme) => bytesOf(await keystore.sign(Buffer.from(data).toString('base64'), scheme)),
    },
  };
}

/** Facts about a signing certificate. */
export interface SignatoryFacts {
  /** Common name, else the whole name. */
  readonly name: string;
  /** Possible objections of verifiers, as sentences without full stop. */
  readonly concerns: readonly string[];
}

/**
 * Checks that a certificate may sign now: within its validity, and no key that can be broken (RSA below 2048 bits,
 * curves below 224: ETSI TS 119 312). A certificate whose issuer signed with SHA-1 may: what it signs is digested with
 * SHA-2. Errors: CERTIFICATE_NOT_VALID, KEY_UNUSABLE.
 */
export function checkSignatory({ signer, field }: Signatory, now: Date): SignatoryFacts {
  const facts = certificateFacts(signer.certificate);
  const { validFrom, validTo, keyUsages, weaknesses } = facts;
  if (now < validFrom || now > validTo)
    throw new InputError('CERTIFICATE_NOT_VALID', { field, from: validFrom.toISOString(), to: validTo.toISOString() });
  if (weaknesses.includes('short key'))
    throw keyUnusable(
      field,
      facts.keySize > 0
        ? `it has ${facts.keySize} bits; verifiers ask for 2048 at least`
        : `the curve ${facts.curve ?? ''} is too small`,
    );
  const concerns = [
    ...(weaknesses.includes('broken digest')
      ? [`the certificate was signed by its issuer with ${facts.signatureAlgorithm}`]
      : []),
    ...(keyUsages.length > 0 && !keyUsages.some((usage) => usage === 'Digital Signature' || usage === 'Non-Repudiation')
      ? ['the certificate is not meant for signatures']
      : []),
    ...(facts.isAuthority ? ['the certificate is that of an authority'] : []),
  ];
  return { name: facts.commonName ?? facts.subject, concerns };
}

/** 400 KEY_UNUSABLE. */
export function keyUnusable(field: string, detail: string): InputError {
  return new InputError('KEY_UNUSABLE', { field, detail }, [{ pointer: `/${field}`, detail }]);
}

function signerOf({ privateKey, certificate, chain }: SigningIdentity): CmsSigner {
  return { certificate, chain, sign: (data, scheme) => signWith(privateKey, data, scheme) };
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
