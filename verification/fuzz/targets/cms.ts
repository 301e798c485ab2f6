import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  certificateFacts,
  openKeystore,
  readCertificates,
  readPrivateKey,
} from '@quire/document/signatures/certificates';
import { CmsFault, readCms, readTimeStamp, verifySigner } from '@quire/document/signatures/cms';
import { listFact, readList } from '../../../document/signatures/certification-path/crl.js';
import { ocspFact } from '../../../document/signatures/certification-path/ocsp.js';
import {
  accessAddresses,
  basicConstraints,
  distributionPoints,
  extendedKeyUsages,
  type PathCertificate,
  readPathCertificate,
} from '../../../document/signatures/certification-path/path-certificate.js';
import { Unusable } from '../../../document/signatures/certification-path/status-fact.js';
import { codeOf, type FuzzTarget } from './target.js';

const fixtures = fileURLToPath(new URL('../../../plugins/signing/fixtures', import.meta.url));
const folder = fileURLToPath(new URL('../seeds/cms', import.meta.url));
const PASSWORD = 'secret';

/** Signatures (CMS, RFC 5652), time stamps, certificates, revocation lists, OCSP answers, keys and keystores. */
export const cms: FuzzTarget = {
  extension: 'der',
  seeds: () => {
    const text = readFileSync(`${fixtures}/approved.pdf`, 'latin1');
    const [, container = ''] = /\/Contents\s*<(30[0-9a-f]{200,})>/i.exec(text) ?? [];
    return Promise.resolve([
      // The container is larger than the signature.
      Buffer.from(container.replace(/(?:00)+$/, ''), 'hex'),
      ...['signer.p12', 'signer.pem', 'signer.key'].map((name) => readFileSync(`${fixtures}/${name}`)),
      ...readdirSync(folder)
        .sort()
        .map((name) => readFileSync(`${folder}/${name}`)),
    ]);
  },
  exercise: async (bytes) => {
    // The costs of keys and keystores are bounded by the number of rounds, which they state.
    const readers: Readonly<Record<string, () => Promise<unknown>>> = {
      signature: () => readSignature(bytes),
      stamp: () => readTimeStamp(bytes),
      certificate: async () => readCertificates(bytes).map(certificateFacts),
      path: async () => readPath(bytes),
      list: async () => readRevocations(bytes),
      answer: async () => ocspFact(bytes, known('certificate'), known('issuer')),
      keystore: () => openKeystore(bytes, PASSWORD),
      key: () => readPrivateKey(bytes, PASSWORD),
    };
    const read: string[] = [];
    let refusal = '';
    for (const [name, reader] of Object.entries(readers)) {
      const outcome = await attempt(reader);
      if (outcome === 'read') read.push(name);
      else refusal ||= outcome;
    }
    return read.length > 0 ? `read ${read.join(' ')}` : refusal;
  },
};

function known(name: 'certificate' | 'issuer'): PathCertificate {
  const certificate = readPathCertificate(readFileSync(`${folder}/${name}.der`));
  if (certificate === undefined) throw new Error(`the seed ${name} cannot be read`);
  return certificate;
}

async function readSignature(bytes: Uint8Array): Promise<void> {
  const signature = await readCms(bytes);
  for (const signer of signature.signers) await verifySigner(signature, signer, () => [Buffer.from('content')]);
}

function readPath(bytes: Uint8Array): void {
  const certificate = readPathCertificate(bytes);
  if (certificate === undefined) throw new Unusable('not a certificate');
  try {
    basicConstraints(certificate);
    extendedKeyUsages(certificate);
    accessAddresses(certificate, 'ocsp');
    distributionPoints(certificate);
  } catch (error) {
    // What is malformed in an extension throws this when it is asked for.
    if (!(error instanceof RangeError)) throw error;
  }
}

function readRevocations(bytes: Uint8Array): void {
  const list = readList(bytes);
  if (list === undefined) throw new Unusable('not a list');
  listFact(list, known('certificate'), known('issuer'));
}

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    if (error instanceof CmsFault || error instanceof Unusable) return error.constructor.name;
    return codeOf(error);
  }
}
