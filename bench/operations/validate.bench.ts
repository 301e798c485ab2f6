import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { planCms, signCms, signWith } from '@quire/document/signatures/cms';
import { signFile } from '@quire/document/signatures';
import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { photoPdf, textPdf } from '../measure/inputs.js';

const key = resolve('plugins/signing/fixtures/signer.key');
const certificate = resolve('plugins/signing/fixtures/signer.pem');

/** Adds `times` signatures to a file; the result is cached. */
async function signed(source: string, times: number): Promise<string> {
  let path = source;
  for (let i = 1; i <= times; i++) {
    const target = source.replace(/\.pdf$/, `-signed-${i}.pdf`);
    if (!existsSync(target)) await sign(path, target);
    path = target;
  }
  return path;
}

async function sign(source: string, target: string): Promise<void> {
  const privateKey = createPrivateKey(readFileSync(key));
  const signer = {
    certificate: new X509Certificate(readFileSync(certificate)).raw,
    chain: [],
    sign: (data: Uint8Array, scheme: Parameters<typeof signWith>[2]) => signWith(privateKey, data, scheme),
  };
  const plan = planCms(signer);
  if (plan === undefined) throw new Error('the key of the examples cannot sign');
  await signFile(source, target, {
    entries: ({ pages: [page] }) => {
      if (page === undefined) throw new Error('the input has no page');
      return { subFilter: 'ETSI.CAdES.detached', capacity: 4096, time: new Date(), page };
    },
    value: async (digest) => signCms({ signer, scheme: plan.scheme, digest: digest(plan.scheme.digest) }),
  });
}

const bench = (name: string, what: string, input: () => Promise<string>): Bench => ({
  name,
  run: async () => {
    const file = await input();
    return compareWithPrograms(
      { what, path: 'security/validate-signature', inputs: [file], fields: {}, second: { certFile: certificate } },
      [{ command: 'pdfsig -nocert', program: 'pdfsig', args: ['-nocert', file] }],
    );
  },
});

export const validate10 = bench('validate-10', 'Validate one signature of 10 pages', async () =>
  signed(await textPdf(10), 1),
);

/** Three signatures: two revisions to compare. */
export const validate500 = bench('validate-500', 'Validate three signatures of 500 pages', async () =>
  signed(await textPdf(500), 3),
);

/** The digest takes most of the time. */
export const validate100mb = bench('validate-100mb', 'Validate one signature of 100 MB', async () =>
  signed(await photoPdf(100), 1),
);
