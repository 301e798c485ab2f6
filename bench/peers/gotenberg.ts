import { spawn, type ChildProcess } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../core/isolation/index.js';

/** As long as a busy machine may take. */
const START_MS = 60_000;
const STOP_MS = 10_000;
/** Written by bench/peers/install-gotenberg.sh. */
const folder = join(homedir(), '.cache', 'quire-peers');

/** Gotenberg under measure: a URL, and how to end it. */
export interface Gotenberg {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the installed Gotenberg with its default settings on a free port and waits until it is healthy. Undefined when
 * it is not installed.
 */
export async function startGotenberg(): Promise<Gotenberg | undefined> {
  const binary = join(folder, 'gotenberg');
  const installed = await access(binary).then(
    () => true,
    () => false,
  );
  if (!installed) return undefined;
  const port = await freePort();
  const child = spawn(binary, [`--api-port=${port}`], {
    stdio: 'ignore',
    // A group of its own, so that the browser and the office program end with it.
    detached: true,
    env: { ...process.env, ...(await programs()) },
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = (): Promise<void> => stopGroup(child);
  const end = performance.now() + START_MS;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`Gotenberg was not healthy within ${START_MS / 1000} seconds (${binary})`);
}

/** Where Gotenberg finds the programs that it runs. */
async function programs(): Promise<Record<string, string>> {
  const path = [folder, process.env['PATH'] ?? ''].join(':');
  const find = (program: string): string => findProgram(program, path) ?? '';
  return {
    // Before others: `unoconv` needs the system's Python, with LibreOffice's modules.
    PATH: `/usr/bin:${process.env['PATH'] ?? ''}`,
    CHROMIUM_BIN_PATH: find('chromium'),
    // The script beside it starts another process, whose port Gotenberg does not find.
    LIBREOFFICE_BIN_PATH: `${await realpath(find('soffice')).catch(() => '')}.bin`,
    // Its image has a script of its own; Debian's takes the same arguments for the files of this table.
    UNOCONVERTER_BIN_PATH: find('unoconverter') || find('unoconv'),
    QPDF_BIN_PATH: find('qpdf'),
    PDFTK_BIN_PATH: find('pdftk'),
    EXIFTOOL_BIN_PATH: find('exiftool'),
    PDFCPU_BIN_PATH: find('pdfcpu'),
    // Dictionaries that its image has; no input of this table is hyphenated.
    CHROMIUM_HYPHEN_DATA_DIR_PATH: folder,
  };
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // No process of the group is left.
    }
  };
  if (child.exitCode === null && child.signalCode === null) {
    send('SIGTERM');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  }
  send('SIGKILL');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
