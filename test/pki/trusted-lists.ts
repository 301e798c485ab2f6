import { readFile } from 'node:fs/promises';
import { SignedXml } from 'xml-crypto';
import type { Issued } from './authority.js';

/** A service of a national list. */
export interface ListedService {
  /** Last parts of the addresses: `CA/QC`, `TrustedList/Svcstatus/granted`. */
  readonly type: string;
  readonly status: string;
  readonly certificate: Buffer;
}

const NAMESPACES = 'xmlns="http://uri.etsi.org/02231/v2#" xmlns:tslx="http://uri.etsi.org/02231/v2/additionaltypes#"';

/** A national list (ETSI TS 119 612), not signed yet. */
export function nationalList(territory: string, services: readonly ListedService[], nextUpdate = '2099-01-01T00:00:00Z'): string {
  const listed = services.map(({ type, status, certificate }) => `<TSPService><ServiceInformation><ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier><ServiceName><Name xml:lang="en">Service</Name></ServiceName><ServiceDigitalIdentity><DigitalId><X509Certificate>${certificate.toString('base64')}</X509Certificate></DigitalId></ServiceDigitalIdentity><ServiceStatus>http://uri.etsi.org/TrstSvc/${status}</ServiceStatus></ServiceInformation></TSPService>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<TrustServiceStatusList ${NAMESPACES} Id="tsl" TSLTag="http://uri.etsi.org/19612/TSLTag"><SchemeInformation><SchemeTerritory>${territory}</SchemeTerritory><NextUpdate><dateTime>${nextUpdate}</dateTime></NextUpdate></SchemeInformation><TrustServiceProviderList><TrustServiceProvider><TSPServices>${listed}</TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>`;
}

/** A list of lists, not signed yet. */
export function listOfLists(pointers: readonly { readonly url: string; readonly signers: readonly Buffer[]; readonly mimeType?: string; readonly kind?: string }[]): string {
  const all = pointers.map(({ url, signers, mimeType = 'application/vnd.etsi.tsl+xml', kind = 'EUgeneric' }) => `<OtherTSLPointer><ServiceDigitalIdentities>${signers.map((signer) => `<ServiceDigitalIdentity><DigitalId><X509Certificate>\n${signer.toString('base64').replace(/.{64}/g, '$&\n')}</X509Certificate></DigitalId></ServiceDigitalIdentity>`).join('')}</ServiceDigitalIdentities><TSLLocation>${url}</TSLLocation><AdditionalInformation><OtherInformation><TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${kind}</TSLType></OtherInformation><OtherInformation><tslx:MimeType>${mimeType}</tslx:MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<TrustServiceStatusList ${NAMESPACES} Id="lotl"><SchemeInformation><PointersToOtherTSL>${all}</PointersToOtherTSL><NextUpdate><dateTime>2099-01-01T00:00:00Z</dateTime></NextUpdate></SchemeInformation></TrustServiceStatusList>`;
}

/** Signs a list as such lists are: enveloped, exclusive canonicalisation, the signer's certificate along. */
export async function signList(xml: string, signer: Issued, digest: 'sha256' | 'sha512' = 'sha256'): Promise<Buffer> {
  const signature = new SignedXml({
    privateKey: await readFile(signer.keyFile), publicCert: await readFile(signer.certificateFile), signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#rsa-${digest}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({ xpath: '/*', isEmptyUri: true, transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'], digestAlgorithm: `http://www.w3.org/2001/04/xmlenc#${digest}` });
  signature.computeSignature(xml);
  return Buffer.from(signature.getSignedXml());
}
