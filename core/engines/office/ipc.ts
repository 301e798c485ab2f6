import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * A second `soffice` with the same profile talks to the first one over a socket of the first: it is greeted, sends its
 * command line, and receives a message when that is done (desktop/source/app/officeipcthread.cxx of LibreOffice). The
 * commands are those of the command line and no more.
 */
const GREETING = 'InternalIPC::SendArguments\0';
const DONE = 'InternalIPC::ProcessingDone\0';
const HEAD = 'InternalIPC::Arguments';
/** The working folder, which does not matter: all paths are absolute. */
const FOLDER = '1file:///';
const FOLDERS = ['/tmp', '/var/tmp'];
/** Longest path of a socket in bytes (unix(7)). */
const LONGEST_PATH = 107;

/**
 * Returns the paths at which the process with this profile may have created its socket. The program derives them from
 * the user, who is root in a user namespace, and uses no other folder while /tmp is writable. `own`: the folder that a
 * confined program sees as /tmp.
 */
export function socketPaths(profile: string, own?: string): readonly string[] {
  const digest = createHash('md5')
    .update(Buffer.from(pathToFileURL(profile).href, 'utf16le'))
    .digest();
  // LibreOffice prints each byte as a number, without leading zeros.
  const name = `SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
  const users = [...new Set([process.getuid?.() ?? 0, 0])];
  // For a user without a name in the system, as in most containers, the path contains no number.
  return [...(own === undefined ? [] : [own]), ...FOLDERS].flatMap((folder) =>
    [...users.map((user) => `${user}_`), ''].map((user) => join(folder, `OSL_PIPE_${user}${name}`)),
  );
}

/** Waits for the socket of the process with this profile, and returns it. */
export async function findSocket(profile: string, own: string): Promise<string | undefined> {
  const found = await Promise.all(
    socketPaths(profile, own).map(async (path) => ({
      path,
      is: await lstat(path).then(
        (entry) => entry.isSocket(),
        () => false,
      ),
    })),
  );
  return found.find(({ is }) => is)?.path;
}

/** Returns a command line as it is sent over the socket. */
function packArguments(args: readonly string[]): string {
  const escaped = args.map((argument) => argument.replace(/[\\,\0]/g, (sign) => (sign === '\0' ? '\\0' : `\\${sign}`)));
  return `${HEAD}${FOLDER}${escaped.map((argument) => `,${argument}`).join('')}\0`;
}

/**
 * Asks the process behind a socket to run a command line; without one, waits until it is ready. True when it reports
 * that it is done, with any result; false when it ended, answered something else, or the signal is aborted.
 */
export async function askOffice(
  socket: string,
  args: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const isLong = Buffer.byteLength(socket) > LONGEST_PATH;
  const folder = isLong ? await open(dirname(socket), constants.O_RDONLY | constants.O_DIRECTORY) : undefined;
  return new Promise<boolean>((resolve) => {
    const connection = connect(folder === undefined ? socket : join(`/proc/self/fd/${folder.fd}`, basename(socket)));
    let heard = '';
    let sent = false;
    const settle = (done: boolean): void => {
      signal.removeEventListener('abort', giveUp);
      connection.destroy();
      resolve(done);
    };
    const giveUp = (): void => settle(false);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    connection
      .on('error', giveUp)
      .on('close', giveUp)
      .on('data', (chunk: Buffer) => {
        heard += chunk.toString('latin1');
        const expected = sent ? DONE : GREETING;
        if (heard === expected) {
          if (sent || args === undefined) return settle(true);
          [sent, heard] = [true, ''];
          connection.write(packArguments(args));
        } else if (!expected.startsWith(heard)) settle(false);
      });
  }).finally(() => folder?.close());
}
