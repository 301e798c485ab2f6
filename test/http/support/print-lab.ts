import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrintOptions } from '@quire/registry';
import type { QuireError } from '@quire/registry/errors';
import { ChromiumHtmlToPdf, WarmBrowser } from '../../../core/engines/browser/index.js';
import { memoryOfTree } from '../../../core/engines/browser/memory-use.js';
import { ProgramSupervisor } from '../../../core/engines/programs/index.js';
import { findProgram } from '../../../core/isolation/index.js';
import { loadSettings } from '../../../core/settings/index.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A signal that is never aborted. */
export const never = new AbortController().signal;
/** Where the browser of npm is unpacked once for all tests. */
export const engines = join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`);

/** A browser with what it needs. */
export interface Printing {
  readonly programs: ProgramSupervisor;
  readonly browser: WarmBrowser;
  readonly printer: ChromiumHtmlToPdf;
  readonly tmp: string;
}

/** Prints pages with browsers of its own, in a folder that is removed at its end. */
export class PrintLab {
  readonly folder = mkdtempSync(join(tmpdir(), 'quire-browser-'));
  #count = 0;
  /** The browser that `print` uses. */
  readonly main: Printing = this.start();

  /** A supervisor without `unshare`: the network must be blocked without namespaces too. */
  start(env: Readonly<Record<string, string>> = {}): Printing {
    const bin = join(this.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['prlimit', 'setpriv']) {
      const file = findProgram(name, '/usr/bin:/bin');
      if (file !== undefined && !existsSync(join(bin, name))) symlinkSync(file, join(bin, name));
    }
    const settings = loadSettings({ env: { BROWSER_FOLDER: engines, ...env }, cwd: this.folder });
    const programs = new ProgramSupervisor(settings, quiet, bin);
    const tmp = join(this.folder, `tmp-${++this.#count}`);
    const browser = new WarmBrowser({ programs, settings, paths: { tmp }, log: quiet });
    return { tmp, programs, browser, printer: new ChromiumHtmlToPdf(browser) };
  }

  /** Writes a page, and files beside it, into a new folder. Returns its path. */
  write(html: string, files: Readonly<Record<string, string | Buffer>> = {}): string {
    const job = mkdtempSync(join(this.folder, 'job-'));
    writeFileSync(join(job, 'page.html'), html);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(job, name), content);
    return join(job, 'page.html');
  }

  async print(page: string, options: PrintOptions = {}, signal = never, by = this.main.printer): Promise<string> {
    const output = `${page}-${++this.#count}.pdf`;
    await by.print(page, output, options, signal);
    return output;
  }

  /** Processes of all browsers: the browsers themselves, or those in which pages run. */
  async browserPids(type?: 'renderer'): Promise<number[]> {
    const lines = (await memoryOfTree(process.pid)).flatMap(({ pid }) => {
      try {
        return [{ pid, line: readFileSync(`/proc/${pid}/cmdline`, 'latin1') }];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
    return lines
      .filter(({ line }) =>
        type === undefined
          ? line.includes('--remote-debugging-pipe') && !line.includes('--type=')
          : line.includes(`--type=${type}`),
      )
      .map(({ pid }) => pid);
  }

  async end(): Promise<void> {
    await this.main.programs.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The text of a PDF. */
export function text(pdf: string): string {
  return execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' });
}

/** What `pdfinfo` says of a PDF. */
export function info(pdf: string, ...more: string[]): string {
  return execFileSync('pdfinfo', [...more, pdf], { encoding: 'utf8' });
}

/** The code of the error with which a promise is rejected. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as QuireError).code ?? String(error),
  );
}
