import { createHash } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { ListFault } from './list-fault.js';
import { checkSignedList } from './signed-list.js';
import { childElements, elementsIn } from '@quire/document/file/xml/dom';
import { along, certificatesOf, textOf } from './xml.js';

const MAX_LISTS = 100;
const MAX_SIGNERS = 50;
const MAX_CERTIFICATES = 20_000;

/**
 * A national list that the list of lists points to, and the certificates that it must be signed with (DER in base64).
 */
export interface ListPointer {
  readonly url: string;
  readonly signers: readonly string[];
}

/** The content of a list of lists. */
export interface ListOfLists {
  readonly lists: readonly ListPointer[];
  /** SHA-256 of the certificate that signed it, hexadecimal. */
  readonly signer: string;
  /** A newer one should be there since (ISO 8601); absent when the list does not say. */
  readonly nextUpdate?: string;
}

/** The certificates of a national list, DER in base64. */
export interface NationalList {
  readonly certificates: readonly string[];
  readonly nextUpdate?: string;
}

/**
 * Reads a list of lists (ETSI TS 119 612). Its signature must hold; `pins` are SHA-256 hashes of the certificates that
 * may have made it, hexadecimal, and where there are none it may be anybody's. Pointers to lists for people (PDF) and
 * to lists of lists are passed over. Throws ListFault.
 */
export function readListOfLists(bytes: Uint8Array, pins: readonly string[]): ListOfLists {
  const { root, signer } = checkSignedList(bytes, undefined);
  const hash = createHash('sha256').update(Buffer.from(signer, 'base64')).digest('hex');
  const wanted = pins.map((pin) => pin.replaceAll(':', '').trim().toLowerCase());
  if (wanted.length > 0 && !wanted.includes(hash))
    throw new ListFault('the list is signed with a certificate that is not allowed to');
  const pointers = along([root], 'SchemeInformation', 'PointersToOtherTSL', 'OtherTSLPointer');
  const lists = pointers
    .filter((pointer) => !isOther(pointer))
    .flatMap((pointer) => {
      const url = textOf(childElements(pointer, 'TSLLocation')[0]);
      const signers = certificatesOf(
        along([pointer], 'ServiceDigitalIdentities', 'ServiceDigitalIdentity', 'DigitalId', 'X509Certificate'),
      ).slice(0, MAX_SIGNERS);
      return url === '' || url.length > 2048 ? [] : [{ url, signers }];
    });
  return { lists: lists.slice(0, MAX_LISTS), signer: hash, ...nextUpdateOf(root) };
}

/**
 * Reads a national list, which one of `signers` must have signed: certificates of authorities for qualified
 * certificates that are in force. Throws ListFault.
 */
export function readNationalList(
  bytes: Uint8Array,
  signers: readonly string[],
  acceptTransitional: boolean,
): NationalList {
  if (signers.length === 0) throw new ListFault('the list of lists does not say who signs this list');
  const { root } = checkSignedList(bytes, signers);
  const accepted = new Set([
    'granted',
    'undersupervision',
    'accredited',
    ...(acceptTransitional ? ['supervisionincessation'] : []),
  ]);
  const services = along(
    [root],
    'TrustServiceProviderList',
    'TrustServiceProvider',
    'TSPServices',
    'TSPService',
    'ServiceInformation',
  );
  const certificates = services
    .filter((service) => isIssuer(service) && accepted.has(statusOf(service)))
    .flatMap((service) => certificatesOf(along([service], 'ServiceDigitalIdentity', 'DigitalId', 'X509Certificate')));
  return { certificates: [...new Set(certificates)].slice(0, MAX_CERTIFICATES), ...nextUpdateOf(root) };
}

function isIssuer(service: Element): boolean {
  return /^https?:\/\/uri\.etsi\.org\/TrstSvc\/Svctype\/(?:CA\/QC|NationalRootCA-QC)$/i.test(
    textOf(childElements(service, 'ServiceTypeIdentifier')[0]),
  );
}

/** Last part of the status: `granted` of today's lists, the others of those before July 2016 (ETSI TS 119 612, D.5). */
function statusOf(service: Element): string {
  const [, status = ''] =
    /^https?:\/\/uri\.etsi\.org\/TrstSvc\/(?:TrustedList\/)?(?:eSigDir-1999-93-EC-TrustedList\/)?Svcstatus\/([a-z]+)$/i.exec(
      textOf(childElements(service, 'ServiceStatus')[0]),
    ) ?? [];
  return status.toLowerCase();
}

function isOther(pointer: Element): boolean {
  const information = along([pointer], 'AdditionalInformation', 'OtherInformation');
  const types = information.flatMap((element) => elementsIn(element, 'MimeType')).map(textOf);
  const kinds = information.flatMap((element) => elementsIn(element, 'TSLType')).map(textOf);
  return (
    (types.length > 0 && !types.includes('application/vnd.etsi.tsl+xml')) ||
    kinds.some((kind) => /listofthelists$/i.test(kind))
  );
}

function nextUpdateOf(root: Element): { readonly nextUpdate?: string } {
  const text = textOf(along([root], 'SchemeInformation', 'NextUpdate', 'dateTime')[0]);
  return Number.isNaN(Date.parse(text)) ? {} : { nextUpdate: new Date(text).toISOString() };
}
