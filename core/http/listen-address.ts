import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { listenHost, type Settings } from '../settings/index.js';

/** Clients of a Unix domain socket have no address. They are on this machine. */
const LOCAL = '127.0.0.1';
const NAMED_PIPE = /^\\\\[.?]\\pipe\\/i;

/** Where the server listens: Hapi takes the path of a socket as its port. */
export function listenAddress(settings: Settings): { readonly port: number | string; readonly host?: string } {
  const socket = settings.get('server.socket');
  return socket === '' ? { port: settings.get('server.port'), host: listenHost(settings) } : { port: socket };
}

/** The address of the other end of a connection. */
export function peerAddress(remoteAddress: string | undefined): string {
  return remoteAddress === undefined || remoteAddress === '' ? LOCAL : remoteAddress;
}

/** Removes the socket of a server that was killed: listening would fail. One that answers and other files stay. */
export async function removeDeadSocket(path: string): Promise<void> {
  if (NAMED_PIPE.test(path) || lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const code = await new Promise<string | undefined>((resolve) => {
    const connection = connect(path, () => {
      connection.destroy();
      resolve(undefined);
    });
    connection.once('error', ({ code: found }: NodeJS.ErrnoException) => resolve(found));
  });
  if (code === 'ECONNREFUSED') rmSync(path);
}

/** Lets only the user of the server connect. */
export function protectSocket(path: string): void {
  if (!NAMED_PIPE.test(path)) chmodSync(path, 0o600);
}
