import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processTree } from '../../verification/corpus/built-server.js';
import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { Client, multipart } from '../measure/client.js';
import { photoPdf, textPdf } from '../measure/inputs.js';
import { peakOf, resetPeak } from '../measure/peak.js';
import { mb, times } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const fixtures = fileURLToPath(new URL('../../plugins/signing/fixtures/', import.meta.url));
const [key, certificate] = [join(fixtures, 'signer.key'), join(fixtures, 'signer.pem')];
const path = 'security/cert-sign';
const fields = { certType: 'PEM' };
const second = { privateKeyFile: key, certFile: certificate };
/** Allowed memory in multiples of the file's size. */
const MOST_MEMORY = 1.5;

const bench = (name: string, what: string, input: () => Promise<string>): Bench => ({
  name,
  run: async () => {
    const file = await input();
    return compareWithPrograms({ what, path, inputs: [file], fields, second }, [
      {
        command: 'pyhanko sign addsig pemder',
        program: 'pyhanko',
        args: [
          'sign',
          'addsig',
          '--field',
          'Sig1',
          'pemder',
          '--key',
          key,
          '--cert',
          certificate,
          '--no-pass',
          file,
          'signed.pdf',
        ],
      },
      {
        command: 'openssl cms -sign',
        program: 'openssl',
        args: [
          'cms',
          '-sign',
          '-binary',
          '-in',
          file,
          '-signer',
          certificate,
          '-inkey',
          key,
          '-outform',
          'DER',
          '-out',
          'signature.der',
        ],
      },
      { command: 'cp', program: 'cp', args: [file, 'copy.pdf'] },
    ]);
  },
});

export const sign10 = bench('sign-10', 'Sign 10 pages', () => textPdf(10));

/** 100 MB of photographs. */
export const sign100 = bench('sign-100mb', 'Sign 100 MB', () => photoPdf(100));

/** Memory for signing 100 MB, minus the memory for ten pages. */
export const signMemory: Bench = {
  name: 'sign-memory',
  run: async () => {
    const input = await photoPdf(100);
    const [large, small] = [
      await multipart([input], fields, second),
      await multipart([await textPdf(10)], fields, second),
    ];
    return withServer(async ({ url, pid }) => {
      const client = new Client(url);
      await times(3, () => client.post(`/api/v1/${path}`, small));
      const processes = await processTree(pid);
      const before = await Promise.all(processes.map(peakOf));
      await Promise.all(processes.map(resetPeak));
      await times(3, () => client.post(`/api/v1/${path}`, large));
      const growth = (await Promise.all(processes.map(peakOf))).map((peak, i) => peak - (before[i] ?? 0));
      client.close();
      const size = (await stat(input)).size / 1024 ** 2;
      const most = growth.reduce((sum, more) => sum + Math.max(0, more), 0);
      return [
        {
          what: `Sign ${Math.round(size)} MB: growth of the peaks of all processes together`,
          ours: mb(most),
          native: '',
          ratio: undefined,
          target: `≤ ${mb(size * MOST_MEMORY)}`,
          met: most <= size * MOST_MEMORY,
        },
      ];
    });
  },
};
