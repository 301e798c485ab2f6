// npm run check:locks -- <corpus> [--each n] [--match name] [--passwords n] [--seed n]
//
// Locks the corpus's good files as security/add-password does, each with another encryption and other passwords, checks
// the results as the server does, and opens them with PDFium (its own hashes), qpdf and MuPDF, with both passwords and
// without. Unlocks them again and compares the pages as PDFium draws them. --passwords: this many pairs of passwords,
// of all lengths, are tried with PDFium before. Ends with exit code 1 if anything differs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { withDocument } from '../../document/engines/pdfium/index.js';
import { createSecurity, encodePermissions, type SecurityScheme } from '../../document/file/encryption/index.js';
import { inspectResult } from '../../document/file/inspection/index.js';
import { editFile } from '../../document/file/open/index.js';
import { passwordFault } from '../../document/file/passwords/index.js';
import { closeCachedSources, startSourceCache } from '../../document/file/source/index.js';
import { rewriteBytes } from '../../document/file/writer/index.js';
import { goodFiles } from '../../document/test/checks/choose.js';
import { pictureHashes } from '../../document/test/checks/pictures.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '1' },
    match: { type: 'string' },
    passwords: { type: 'string', default: '256' },
    seed: { type: 'string', default: '1' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:locks -- <corpus>');

/** AES-256 most often: only its password is not always tried by PDFium. */
const schemes: readonly (readonly [SecurityScheme, bits: number])[] = [
  ['AES-256', 256],
  ['AES-128', 128],
  ['AES-256', 256],
  ['RC4-128', 128],
  ['AES-256', 256],
  ['RC4-40', 40],
];
/** Pages. */
const MOST_DRAWN = 5;
const LATIN = [...'abcXYZ019 !~ñü'];
const ANY = [...LATIN, ...'€漢字Жאب😀'];
const folder = mkdtempSync(join(tmpdir(), 'quire-locks-'));
let state = Number(values.seed);

/** Numbers below `limit`, the same for each seed (mulberry32). */
function random(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
}

/** A password that readers agree about, of at most this many bytes. */
function passwordOf(bytes: number, bits: number): string {
  const alphabet = bits === 256 ? ANY : LATIN;
  for (;;) {
    let text = '';
    while (Buffer.byteLength(text) < bytes) text += alphabet[random(alphabet.length)] ?? '';
    while (Buffer.byteLength(text) > bytes) text = [...text].slice(0, -1).join('');
    if (passwordFault(text, bits) === undefined && text !== '') return text;
  }
}

const lengthOf = (n: number, bits: number): number => 1 + (n % (bits === 256 ? 127 : 32));
/** Works as a run of the server does, with what it remembers. */
async function inRun<T>(work: () => Promise<T>): Promise<T> {
  startSourceCache();
  try {
    return await work();
  } finally {
    closeCachedSources();
  }
}

interface Case {
  readonly path: string;
  readonly scheme: SecurityScheme;
  readonly user: string;
  readonly owner: string;
}

/** Returns what is wrong with a file that was locked and unlocked. */
async function faultsOf({ path, scheme, user, owner }: Case): Promise<string[]> {
  const [locked, open] = [join(folder, 'locked.pdf'), join(folder, 'open.pdf')];
  for (const each of [locked, open]) rmSync(each, { force: true });
  const [faults, before] = [[] as string[], qpdfSays(path)];
  const protection = { scheme, userPassword: user, ownerPassword: owner, permissions: encodePermissions({}) };
  const pages = await inRun(async () => {
    const expected = await editFile(
      path,
      locked,
      { mode: 'rewrite', protection, stamp: false },
      (pdf) => pdf.pages.length,
    );
    const found = await inspectResult({ path: locked }, expected, user);
    if (found.pages !== expected) faults.push(`${found.pages} pages in place of ${expected}`);
    return expected;
  });
  const bytes = readFileSync(locked);
  // PDFium derives this key as the standard says, and other programs as Acrobat does (ADR 0023).
  for (const password of scheme === 'RC4-40' ? [user] : [user, owner]) {
    const seen = await withDocument(bytes, { password }, (document) => document.pageCount).catch(String);
    if (seen !== pages) faults.push(`PDFium: ${seen} pages with ${JSON.stringify(password)}`);
  }
  const without = await withDocument(bytes, {}, () => 'opens').catch(() => 'refused');
  if (without !== 'refused') faults.push('PDFium opens it without a password');
  for (const password of [user, owner]) {
    const said = qpdfSays(locked, password);
    if (before === undefined && said !== undefined) faults.push(`qpdf: ${said}`);
    const listed = spawnSync('mutool', ['pages', '-p', password, locked], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const count = listed.stdout.split('<page ').length - 1;
    if (count !== pages) faults.push(`MuPDF: ${count} pages in place of ${pages}`);
  }
  const unlock = { mode: 'rewrite', protection: 'none', password: owner, stamp: false } as const;
  await inRun(() => editFile(locked, open, unlock, () => undefined));
  const [drawn, was] = [await hashesOf(open, pages), await hashesOf(path, pages)];
  if (drawn !== was) faults.push('pages of the unlocked file are drawn differently');
  return faults;
}

const hashesOf = async (path: string, pages: number): Promise<string> =>
  (await pictureHashes(readFileSync(path), Math.min(pages, MOST_DRAWN)).catch(String)).toString();

/** What qpdf complains about; undefined for a sound file. */
function qpdfSays(path: string, password = ''): string | undefined {
  const { status, stdout, stderr } = spawnSync('qpdf', [`--password=${password}`, '--check', path], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (stderr + stdout).replaceAll(path, 'it').trim().slice(-300);
}

/** Compares our hashes of passwords with those of PDFium. */
async function tryPasswords(count: number): Promise<number> {
  let faulty = 0;
  for (let n = 0; n < count; n++) {
    const [userPassword, ownerPassword] = [passwordOf(lengthOf(n, 256), 256), passwordOf(lengthOf(n * 5, 256), 256)];
    const document = await PDFDocument.create();
    document.addPage();
    const security = createSecurity({
      context: document.context,
      scheme: 'AES-256',
      permissions: encodePermissions({}),
      userPassword,
      ownerPassword,
    });
    await document.flush();
    const bytes = rewriteBytes(document.context, { security });
    for (const password of [userPassword, ownerPassword]) {
      const seen = await withDocument(bytes, { password }, (found) => found.securityRevision).catch(String);
      if (seen === 6) continue;
      faulty++;
      process.stdout.write(`PDFium: ${seen} with ${JSON.stringify(password)}\n`);
    }
  }
  return faulty;
}

const started = performance.now();
const files = goodFiles(resolve(corpus)).filter(
  ({ file, path }, i) =>
    i % Number(values.each) === 0 && existsSync(path) && (values.match === undefined || file.includes(values.match)),
);
let faulty = await tryPasswords(Number(values.passwords));
for (const [n, { file, path }] of files.entries()) {
  const [scheme, bits] = schemes[n % schemes.length] ?? ['AES-256', 256];
  const [user, owner] = [passwordOf(lengthOf(n, bits), bits), passwordOf(lengthOf(n * 3 + 1, bits), bits)];
  const faults = await faultsOf({ path, scheme, user, owner }).catch((error: unknown) => [`threw ${String(error)}`]);
  if (faults.length === 0) continue;
  faulty++;
  process.stdout.write(`${file}, ${scheme}, ${JSON.stringify([user, owner])}\n    ${faults.join('\n    ')}\n`);
}
rmSync(folder, { recursive: true });
process.stdout.write(
  `${values.passwords} pairs of passwords, ${files.length} files, ${faulty} with faults, ` +
    `${Math.round((performance.now() - started) / 1000)} s\n`,
);
process.exitCode = faulty > 0 ? 1 : 0;
