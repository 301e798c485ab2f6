// npm run check:signing -- <corpus> [--files n] [--match name]
//
// Adds a visible signature to every file of a corpus that can be opened, and checks with pdfsig (and with pyHanko for
// every tenth file and all signed ones) that the new signature is valid and covers the whole file, and that every
// earlier one is as valid as before.
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { signWith } from '../../document/signatures/cms/index.js';
import { pyhankoPython, verifyWithPyhanko } from '../../test/pki/index.js';
import { signDocument } from '../../plugins/signing/src/functions/sign-document.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string' }, match: { type: 'string', default: '' } },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:signing -- <corpus>');

const fixtures = fileURLToPath(new URL('../../plugins/signing/fixtures/', import.meta.url));
const key = createPrivateKey(readFileSync(join(fixtures, 'signer.key')));
const certificate = new Uint8Array(new X509Certificate(readFileSync(join(fixtures, 'signer.pem'))).raw);
const signatory = {
  field: 'p12File',
  signer: {
    certificate,
    chain: [],
    sign: (data: Uint8Array, scheme: Parameters<typeof signWith>[2]) => signWith(key, data, scheme),
  },
};
const folder = mkdtempSync(join(tmpdir(), 'quire-check-signing-'));
let target = '';

/** Returns pdfsig's verdict on each signature, in file order; undefined when it cannot read the file. */
function verdicts(path: string): { readonly found: readonly string[]; readonly whole: boolean } | undefined {
  try {
    const text = execFileSync('pdfsig', ['-nocert', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return {
      found: [...text.matchAll(/Signature Validation: (.*)/g)].map(([, verdict = '']) => verdict),
      whole: text.includes('Total document signed'),
    };
  } catch (error) {
    // pdfsig exits with 2 when there are no signatures.
    return (error as { status?: number }).status === 2 ? { found: [], whole: false } : undefined;
  }
}

const files = readdirSync(resolve(corpus), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.toLowerCase().endsWith('.pdf') && name.includes(values.match))
  .toSorted();
const count = { signed: 0, refused: new Map<string, number>(), unread: 0, faulty: 0, earlier: 0, pyhanko: 0 };
for (const name of files.slice(0, Number(values.files ?? files.length))) {
  const source = join(resolve(corpus), name);
  rmSync(target, { force: true });
  target = join(folder, `signed-${files.indexOf(name)}.pdf`);
  const say = (fault: string): void => {
    count.faulty++;
    process.stdout.write(`  ${name}: ${fault}\n`);
  };
  let field = '';
  try {
    ({ field } = await signDocument(source, target, {
      signatory,
      time: new Date(),
      name: 'Quire',
      reason: 'Checked',
      location: '',
      pss: false,
      seen: { pageNumber: 1, signer: 'Example Signer', logo: true, place: { left: 0, bottom: 0 } },
      mode: 'append',
    }));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string')
      say(`threw ${error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' ') : String(error)}`);
    else count.refused.set(code, (count.refused.get(code) ?? 0) + 1);
    continue;
  }
  const [before, after] = [verdicts(source), verdicts(target)];
  const appended = readFileSync(target).subarray(0, readFileSync(source).length).equals(readFileSync(source));
  if (before === undefined || after === undefined) {
    count.unread++;
    if (before !== undefined) say('pdfsig cannot read the signed file');
    continue;
  }
  count.signed++;
  const valid = (found: readonly string[]): number =>
    found.filter((verdict) => verdict === 'Signature is Valid.').length;
  const earlier = valid(before.found);
  count.earlier += earlier;
  // The server rejects a damaged signed file, because it would have to be rewritten.
  if (earlier > 0 && !appended) continue;
  if (valid(after.found) !== earlier + 1)
    say(`pdfsig: ${JSON.stringify(before.found)} before, ${JSON.stringify(after.found)} after`);
  else if (!after.whole) say('pdfsig: the last signature does not cover the whole file');
  if (pyhankoPython() !== undefined && (earlier > 0 || count.signed % 10 === 0)) {
    const [said] = await verifyWithPyhanko(join(fixtures, 'signer.pem'), [target]).catch(() => []);
    if (said === undefined) {
      count.unread++;
      continue;
    }
    const last = said.find((verdict) => verdict.field === field);
    count.pyhanko++;
    if (last?.good !== true) say(`pyHanko: ${JSON.stringify(last)}`);
  }
}
rmSync(folder, { recursive: true });
const refused = [...count.refused].map(([code, times]) => `${times} ${code}`).join(', ');
process.stdout.write(
  `${files.length} files: ${count.signed} signed in addition to ${count.earlier} valid earlier signatures, ` +
    `${count.pyhanko} checked by pyHanko, ${count.faulty} with faults; ${count.unread} not readable by one of ` +
    `the programs; rejected: ${refused}\n`,
);
process.exitCode = count.faulty > 0 ? 1 : 0;
