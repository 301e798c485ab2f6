import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { certificateFacts, openKeystore, readCertificates } from '@quire/document/signatures/certificates';
import { CmsFault, readCms, readTimeStamp, verifySigner } from '@quire/document/signatures/cms';
import { codeOf, type FuzzTarget } from './target.js';

const fixtures = fileURLToPath(new URL('../../../plugins/signing/fixtures', import.meta.url));
const signed = ['signed.pdf', 'approved.pdf'];

/** Signatures (CMS, RFC 5652), time stamps, certificates and keystores. */
export const cms: FuzzTarget = {
  extension: 'der',
  seeds: () => {
    const containers = signed.flatMap((name) => {
      const text = readFileSync(`${fixtures}/${name}`, 'latin1');
      return [...text.matchAll(/\/Contents\s*<(30[0-9a-f]{200,})>/gi)].map(([, hex = '']) =>
        // The container is larger than the signature.
        Buffer.from(hex.replace(/(?:00)+$/, ''), 'hex'),
      );
    });
    return Promise.resolve([...containers, readFileSync(`${fixtures}/signer.p12`)]);
  },
  exercise: async (bytes) => {
    const outcomes = [await attempt(() => readSignature(bytes)), await attempt(() => readTimeStamp(bytes))];
    await attempt(() => Promise.resolve(readCertificates(bytes).map(certificateFacts)));
    // Its cost is bounded by the number of rounds, which a keystore states.
    await attempt(() => openKeystore(bytes, 'secret'));
    return outcomes.find((outcome) => outcome === 'read') ?? outcomes[0] ?? '';
  },
};

async function readSignature(bytes: Uint8Array): Promise<void> {
  const signature = await readCms(bytes);
  for (const signer of signature.signers) await verifySigner(signature, signer, () => [Buffer.from('content')]);
}

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    return error instanceof CmsFault ? 'CmsFault' : codeOf(error);
  }
}
