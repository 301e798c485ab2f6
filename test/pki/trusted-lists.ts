import { createHash, createPrivateKey, createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SignedXml } from 'xml-crypto';
import type { Issued } from './authority.js';

/** A service in a national list. */
export interface ListedService {
  /** Last parts of the addresses: `CA/QC`, `TrustedList/Svcstatus/granted`. */
  readonly type: string;
  readonly status: string;
  readonly certificate: Buffer;
}

const NAMESPACES = 'xmlns="http://uri.etsi.org/02231/v2#" xmlns:tslx="http://uri.etsi.org/02231/v2/additionaltypes#"';

/** In the format of the lists: whole seconds. */
const inOneYear = (): string => new Date(Date.now() + 365 * 86_400_000).toISOString().replace(/\.\d+/, '');

/** A national list (ETSI TS 119 612), not signed yet. */
export function nationalList(territory: string, services: readonly ListedService[], nextUpdate = inOneYear()): string {
  const listed = services
    .map(
      ({ type, status, certificate }) =>
        `<TSPService><ServiceInformation><ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}` +
        `</ServiceTypeIdentifier><ServiceName><Name xml:lang="en">Service</Name></ServiceName>` +
        `<ServiceDigitalIdentity><DigitalId><X509Certificate>${certificate.toString('base64')}` +
        '</X509Certificate></DigitalId></ServiceDigitalIdentity><ServiceStatus>http://uri.etsi.org/TrstSvc/' +
        `${status}</ServiceStatus></ServiceInformation></TSPService>`,
    )
    .join('\n');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<TrustServiceStatusList ${NAMESPACES} Id="tsl" ` +
    `TSLTag="http://uri.etsi.org/19612/TSLTag"><SchemeInformation><SchemeTerritory>${territory}</SchemeTerritory>` +
    `<NextUpdate><dateTime>${nextUpdate}</dateTime></NextUpdate></SchemeInformation><TrustServiceProviderList>` +
    `<TrustServiceProvider><TSPServices>${listed}</TSPServices></TrustServiceProvider></TrustServiceProviderList>` +
    '</TrustServiceStatusList>'
  );
}

/** A list of lists, not signed yet. */
export function listOfLists(
  pointers: readonly {
    readonly url: string;
    readonly signers: readonly Buffer[];
    readonly mimeType?: string;
    readonly kind?: string;
  }[],
): string {
  const all = pointers
    .map(
      ({ url, signers, mimeType = 'application/vnd.etsi.tsl+xml', kind = 'EUgeneric' }) =>
        `<OtherTSLPointer><ServiceDigitalIdentities>${signers
          .map(
            (signer) =>
              `<ServiceDigitalIdentity><DigitalId><X509Certificate>\n` +
              `${signer.toString('base64').replace(/.{64}/g, '$&\n')}</X509Certificate></DigitalId>` +
              '</ServiceDigitalIdentity>',
          )
          .join(
            '',
          )}</ServiceDigitalIdentities><TSLLocation>${url}</TSLLocation><AdditionalInformation><OtherInformation><TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${kind}</TSLType></OtherInformation><OtherInformation><tslx:MimeType>${mimeType}</tslx:MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`,
    )
    .join('\n');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<TrustServiceStatusList ${NAMESPACES} Id="lotl"><SchemeInformation>` +
    `<PointersToOtherTSL>${all}</PointersToOtherTSL><NextUpdate><dateTime>${inOneYear()}</dateTime></NextUpdate>` +
    '</SchemeInformation></TrustServiceStatusList>'
  );
}

/** Options of a signature of a list. */
export interface ListSigning {
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** With its own signed properties, as in XAdES. */
  readonly xades?: boolean;
  /** Key that signs instead of the signer's, while the signer's certificate is included. */
  readonly key?: Issued;
}

/**
 * Signs a list as such lists are signed: enveloped, exclusive canonicalisation, with the signer's certificate; with an
 * RSA or an elliptic curve key.
 */
export async function signList(
  xml: string,
  signer: Issued,
  { digest = 'sha256', xades = false, key = signer }: ListSigning = {},
): Promise<Buffer> {
  const privateKey = createPrivateKey(await readFile(key.keyFile));
  const family = privateKey.asymmetricKeyType === 'ec' ? 'ecdsa' : 'rsa';
  const digests = {
    sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
    sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
    sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
  };
  const signature = new SignedXml({
    privateKey,
    publicCert: await readFile(signer.certificateFile),
    signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#${family}-${digest}`,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    ...(xades
      ? {
          objects: [
            {
              content:
                '<xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" Target="#s">' +
                '<xades:SignedProperties Id="properties"><xades:SignedSignatureProperties><xades:SigningTime>' +
                '2026-01-01T00:00:00Z</xades:SigningTime></xades:SignedSignatureProperties>' +
                '</xades:SignedProperties></xades:QualifyingProperties>',
            },
          ],
        }
      : {}),
  });
  const own = {
    getAlgorithmName: () => signature.signatureAlgorithm ?? '',
    getSignature: (text: string) =>
      createSign(digest).update(text).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }, 'base64'),
    verifySignature: () => false,
  };
  const hash = {
    getAlgorithmName: () => digests.sha384,
    getHash: (text: string) => createHash('sha384').update(text).digest('base64'),
  };
  Object.assign(signature.SignatureAlgorithms, {
    [signature.signatureAlgorithm ?? '']: function algorithm() {
      return own;
    },
  });
  Object.assign(signature.HashAlgorithms, {
    [digests.sha384]: function algorithm() {
      return hash;
    },
  });
  const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  signature.addReference({
    xpath: '/*',
    isEmptyUri: true,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonical],
    digestAlgorithm: digests[digest],
  });
  if (xades)
    signature.addReference({
      xpath: "//*[@Id='properties']",
      uri: '#properties',
      type: 'http://uri.etsi.org/01903#SignedProperties',
      transforms: [canonical],
      digestAlgorithm: digests[digest],
    });
  signature.computeSignature(xml);
  return Buffer.from(signature.getSignedXml());
}
