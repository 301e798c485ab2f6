import { copyFile, link, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kindInfo, kindOfName, type OfficeToPdf } from '@quire/registry';
import { InputError, OperationalError } from '@quire/registry/errors';
import type { ProgramSupervisor } from './supervisor.js';

/** The office program asks to be started again after it has set up a fresh profile. */
const RESTART_WANTED = 81;

const security = '/org.openoffice.Office.Common/Security/Scripting';
const profileRows: readonly (readonly [path: string, name: string, value: string | number | boolean])[] = [
  [security, 'MacroSecurityLevel', 3],
  [security, 'DisableMacrosExecution', true],
  // Pictures and sections that point elsewhere are not fetched, neither from the net nor from this disk.
  [security, 'BlockUntrustedRefererLinks', true],
  ['/org.openoffice.Office.Java/VirtualMachine', 'Enable', false],
];

const profile = ['<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
  ...profileRows.map(([path, name, value]) => `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`),
  '</oor:items>', ''].join('\n');

/** Turns office documents into PDF with LibreOffice: a fresh profile each run, macros off, no network where the machine allows that. */
export class LibreOfficeToPdf implements OfficeToPdf {
  /** The program's own mark of a profile that it has set up; with it in place a fresh profile needs no second start. */
  #buildId: Buffer | undefined;

  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with OFFICE_UNREADABLE when the program cannot read the file, and with what the supervisor rejects with. */
  async convert(input: string, outputFolder: string, signal: AbortSignal, name: string = input): Promise<string> {
    if (!this.programs.has('libreoffice')) throw new OperationalError('PROGRAM_MISSING', { program: 'libreoffice' });
    await refuseGarbage(input);
    const work = await mkdtemp(join(outputFolder, '.office-'));
    try {
      const pdf = await this.#convertIn(work, input, extname(name), signal);
      const target = join(outputFolder, `${basename(input, extname(input))}.pdf`);
      await rename(pdf, target);
      return target;
    } finally {
      await rm(work, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #convertIn(work: string, input: string, suffix: string, signal: AbortSignal): Promise<string> {
    // A plain name: the program must never take the client's for an option or an address.
    const extension = /^\.[A-Za-z0-9]{1,10}$/.exec(suffix)?.[0] ?? '';
    const document = join(work, `document${extension}`);
    await link(input, document).catch(() => copyFile(input, document));
    const [user, out] = [join(work, 'profile', 'user'), join(work, 'out')];
    const buildIdFile = join(user, 'extensions', 'buildid');
    await Promise.all([mkdir(join(user, 'extensions'), { recursive: true }), mkdir(out)]);
    await writeFile(join(user, 'registrymodifications.xcu'), profile);
    if (this.#buildId !== undefined) await writeFile(buildIdFile, this.#buildId);
    const args = [
      '--headless', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard', '--nologo',
      `-env:UserInstallation=${pathToFileURL(join(work, 'profile')).href}`, '--convert-to', 'pdf', '--outdir', out, document,
    ];
    const attempt = (): Promise<{ readonly code: number }> => this.programs.run('libreoffice', args, { cwd: work, signal, okCodes: 'any' });
    let { code } = await attempt();
    if (code === RESTART_WANTED) {
      ({ code } = await attempt());
      this.#buildId = await readHead(buildIdFile, 1024).catch(() => undefined);
    }
    const name = (await readdir(out)).find((file) => file.endsWith('.pdf'));
    if (name !== undefined && code === 0) {
      const pdf = join(out, name);
      if (await startsWith(pdf, '%PDF-')) return pdf;
      throw new OperationalError('PROGRAM_FAILED', { program: 'libreoffice', detail: 'it wrote something that is no PDF' });
    }
    // It ends with 0 also when it could not load the file; by a signal when the file made it crash or outgrow its limits.
    if (code === 0) throw unreadable('it is damaged, needs a password, or is of a kind that the program does not know');
    if (code >= 128) throw unreadable('the program crashed on it or needed more memory or time than allowed');
    throw new OperationalError('PROGRAM_FAILED', { program: 'libreoffice', detail: `it ended with code ${code}` });
  }
}

function unreadable(detail: string): InputError {
  return new InputError('OFFICE_UNREADABLE', { field: 'fileInput', detail });
}

// The program opens anything it does not recognise as plain text, and so would print a broken document as pages of noise.
async function refuseGarbage(input: string): Promise<void> {
  const kind = kindOfName(input);
  const { size } = await stat(input);
  if (size === 0) throw unreadable('it is empty');
  const magic = kind === undefined ? undefined : kindInfo(kind).magic;
  if (magic === undefined) return;
  const head = await readHead(input, 4096);
  const officeStarts = ['504b0304', '504b0506', 'd0cf11e0a1b11ae1', '7b5c727466', ...magic.filter(({ at }) => at === 0).map(({ hex }) => hex)];
  const hex = head.toString('hex', 0, 64);
  // Old programs wrote HTML or tab separated text under the names .doc and .xls, so text is let through.
  // oxlint-disable-next-line no-control-regex
  const isText = !/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(head.subarray(0, Math.max(0, head.length - 4)).toString('utf8'));
  const isUtf16 = hex.startsWith('fffe') || hex.startsWith('feff');
  if (!officeStarts.some((start) => hex.startsWith(start)) && !isText && !isUtf16) throw unreadable('its content is not that of such a file');
}

async function readHead(file: string, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function startsWith(file: string, text: string): Promise<boolean> {
  return (await readHead(file, text.length)).toString('latin1') === text;
}
