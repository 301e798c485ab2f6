// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SignPdfOptions {
  /**
   * Where key and certificate come from: files (PEM, PKCS12 and PFX, JKS) or the server itself (SERVER).
   * WINDOWS_STORE and PKCS11 are refused by a server.
   */
  readonly certType: 'PKCS12' | 'PFX' | 'PEM' | 'JKS' | 'SERVER';
  /** Password of the keystore or the key; ignored for SERVER. */
  readonly password?: string;
  /** Entry of the keystore; without it, or if there is none with that name, the first usable one. */
  readonly alias?: string;
  /** Makes the signature visible. Default: false. */
  readonly showSignature?: boolean;
  /** Why it is signed. Default: Signed by Quire. */
  readonly reason?: string;
  /** Where it is signed. Default: Quire. */
  readonly location?: string;
  /** Who signs, in the signature dictionary; the visible signature names the certificate's owner. Default: Quire. */
  readonly name?: string;
  /** Page of the visible signature, from 1. Whole number from 1. Default: 1. */
  readonly pageNumber?: number;
  /** Distance in points from the left edge of the page to the visible signature. From 0 to 1000000 pt. Default: 0. */
  readonly x?: number;
  /**
   * Distance in points from the bottom of the page to the visible signature's lower edge. From 0 to 1000000 pt.
   * Default: 0.
   */
  readonly y?: number;
  /** Draws a seal behind the text of the visible signature. Default: true. */
  readonly showLogo?: boolean;
  /**
   * PAdES baseline level: B-B, or B-T, B-LT and B-LTA with a time stamp. Without it B-T where tsaUrl is sent, else
   * B-B.
   */
  readonly signatureLevel?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /**
   * Time stamp authority, one of those that the settings allow; blank takes `security.timestamp.defaultTsaUrl` where
   * the level needs one.
   */
  readonly tsaUrl?: string;
  /**
   * Certifies the document: 1 allows no change afterwards, 2 form filling and signing, 3 annotations too. 0 only
   * signs it. Whole number. Default: 0.
   */
  readonly certificationLevel?: 0 | 1 | 2 | 3;
  /** Signs with RSA-PSS instead of PKCS#1 v1.5; for RSA keys. Default: false. */
  readonly rsaPss?: boolean;
  /** Private key for PEM: PEM or DER of PKCS#1, SEC 1 or PKCS#8, encrypted or not. */
  readonly privateKeyFile?: Input;
  /**
   * Certificate for PEM: PEM, DER or PKCS#7; of several, the one that matches the key signs, and its issuers are
   * included.
   */
  readonly certFile?: Input;
  /** Keystore for PKCS12 and PFX. */
  readonly p12File?: Input;
  /** Keystore for JKS; a PKCS#12 file named .jks can be read too. */
  readonly jksFile?: Input;
}

export interface SignPdf {
  /**
   * Sign a PDF with a certificate.
   *
   * Creates a PAdES baseline signature (ETSI EN 319 142-1; SubFilter `ETSI.CAdES.detached`) with SHA-2 and the whole
   * certificate chain, and verifies it in the written file. It is appended, so existing signatures stay valid; a
   * signature that a certified document does not allow is refused with 409.
   *
   * `signatureLevel` B-T adds a time stamp to the signature. B-LT also adds certificates and revocation data, which
   * are fetched from the addresses in the certificates (`security.validation.allowAIA` must be on). B-LTA adds a time
   * stamp over all of it.
   *
   * The certificate must be valid now. RSA keys below 2048 bits are rejected. Certificates whose issuer signed with
   * SHA-1 are accepted, and `concerns` in `X-Tool-Report` says what verifiers may object to.
   *
   * The visible signature is 200 x 50 points and shows signer, time and reason, in any script. `x` and `y` are its
   * position on the page as it is shown. If it would not fit, it is moved into the page, and made smaller on small
   * pages.
   *
   * Keystores, keys and passwords are not kept. Those of a job are in the store until the job has finished, the
   * password encrypted.
   *
   * POST /api/v1/security/cert-sign
   */
  signPdf(file: Input, options: SignPdfOptions, call?: CallOptions): Promise<FileResult>;
}
