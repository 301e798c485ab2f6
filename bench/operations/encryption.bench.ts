import { join } from 'node:path';
import type { Bench, BenchRow } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { compareWithQpdf } from '../measure/compare-qpdf.js';
import { benchFolder, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';

const PAGES = 500;
/** As in bench/peers. */
const FEW_PAGES = 100;
const LOCK = ['--encrypt', 'user', 'owner', '256', '--'];
const passwords = { password: 'user', ownerPassword: 'owner' };

/** Returns a file of so many pages that qpdf encrypted with AES-256. */
async function lockedPdf(pages = PAGES): Promise<string> {
  const path = join(benchFolder, `locked-${pages}.pdf`);
  await runProgram('qpdf', [...LOCK, await textPdf(pages), path], benchFolder);
  return path;
}

const bench = (name: string, run: () => Promise<BenchRow[]>): Bench => ({ name, run });

async function encryptInWorker(pages: number, target: number): Promise<BenchRow> {
  const input = await textPdf(pages);
  const { row } = await compareWithQpdf({
    what: `Worker: encrypt ${pages} pages with AES-256 (R6)`,
    target,
    call: (worker) =>
      worker.run('security', 'security/add-password', [input], { ...passwords, keyLength: 256, encryptMetadata: true }),
    native: [...LOCK, input, 'out.pdf'],
  });
  return row;
}

async function decryptInWorker(pages: number, target: number): Promise<BenchRow> {
  const input = await lockedPdf(pages);
  const { row } = await compareWithQpdf({
    what: `Worker: decrypt ${pages} pages of AES-256 (R6)`,
    target,
    call: (worker) => worker.run('security', 'security/remove-password', [input], { password: 'user' }),
    native: ['--password=user', '--decrypt', input, 'out.pdf'],
  });
  return row;
}

/** In a worker, without HTTP. */
export const coreEncrypt = bench('core-encrypt-500', async () => [
  await encryptInWorker(FEW_PAGES, 1),
  await encryptInWorker(PAGES, 1.5),
]);

/** In a worker, without HTTP. */
export const coreDecrypt = bench('core-decrypt-500', async () => [
  await decryptInWorker(FEW_PAGES, 1),
  await decryptInWorker(PAGES, 1.5),
]);

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
