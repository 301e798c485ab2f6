import { join } from 'node:path';
import type { Bench, BenchRow } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { compareWithQpdf } from '../measure/compare-qpdf.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';

const PAGES = 500;
const LOCK = ['--encrypt', 'user', 'owner', '256', '--'];
const passwords = { password: 'user', ownerPassword: 'owner' };

/** Returns a file of 500 pages that qpdf encrypted with AES-256. */
async function lockedPdf(): Promise<string> {
  const path = join(benchFolder, `locked-${PAGES}.pdf`);
  await runProgram('qpdf', [...LOCK, await textPdf(PAGES), path], benchFolder);
  return path;
}

const bench = (name: string, run: () => Promise<BenchRow[]>): Bench => ({ name, run });

/** In a worker, without HTTP. */
export const coreEncrypt = bench('core-encrypt-500', async () => {
  const input = await textPdf(PAGES);
  return [
    (
      await compareWithQpdf({
        what: 'Worker: encrypt 500 pages with AES-256 (R6)',
        target: 1.5,
        call: (worker) =>
          worker.run('security', 'security/add-password', [input], {
            ...passwords,
            keyLength: 256,
            encryptMetadata: true,
          }),
        native: [...LOCK, input, 'out.pdf'],
      })
    ).row,
  ];
});

/** In a worker, without HTTP. */
export const coreDecrypt = bench('core-decrypt-500', async () => {
  const input = await lockedPdf();
  return [
    (
      await compareWithQpdf({
        what: 'Worker: decrypt 500 pages of AES-256 (R6)',
        target: 1.5,
        call: (worker) => worker.run('security', 'security/remove-password', [input], { password: 'user' }),
        native: ['--password=user', '--decrypt', input, 'out.pdf'],
      })
    ).row,
  ];
});

export const encrypt500 = bench('encrypt-500', async () => {
  const input = await textPdf(PAGES);
  return compareWithPrograms(
    { what: 'Encrypt 500 pages with AES-256', path: 'security/add-password', inputs: [input], fields: passwords },
    [{ command: 'qpdf --encrypt', program: 'qpdf', args: [...LOCK, input, 'out.pdf'] }],
  );
});

export const decrypt500 = bench('decrypt-500', async () => {
  const input = await lockedPdf();
  return compareWithPrograms(
    {
      what: 'Decrypt 500 pages of AES-256',
      path: 'security/remove-password',
      inputs: [input],
      fields: { password: 'user' },
    },
    [{ command: 'qpdf --decrypt', program: 'qpdf', args: ['--password=user', '--decrypt', input, 'out.pdf'] }],
  );
});
