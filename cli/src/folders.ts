import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Failure, EXIT } from './failure.js';

/** The version of this package; the local server of another version has its own folder. */
export const version = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Longest path of a Unix domain socket that every system accepts, in bytes. */
const LONGEST_SOCKET = 100;

/** The folder for what can be made again: catalogs, and the local server with its data. */
export function cacheFolder(): string {
  const { env, platform } = process;
  const usual =
    platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : join(homedir(), '.cache');
  return privateFolder(env['QUIRE_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? usual, 'quire'));
}

/** The file that `quire login` writes. */
export function configFile(): string {
  const { env, platform } = process;
  const usual = platform === 'win32' ? (env['APPDATA'] ?? homedir()) : join(homedir(), '.config');
  return join(env['XDG_CONFIG_HOME'] ?? usual, 'quire', 'config.json');
}

/** Everything of the local server of this version. */
export function localFolder(): string {
  return privateFolder(join(cacheFolder(), `local-${version}`));
}

/** Where the local server listens. */
export function localSocket(): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\quire-${version}-${userInfo().username}`;
  const path = join(localFolder(), 'server.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET) return path;
  return join(privateFolder(join(tmpdir(), `quire-${userId()}`)), `${version}.sock`);
}

/** Users of containers often have no name, without which `userInfo` fails. */
function userId(): number | undefined {
  return process.getuid?.();
}

/** Creates a folder that only the user can open. Refuses one of another user. */
export function privateFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return path;
  if (statSync(path).uid !== userId())
    throw new Failure(
      EXIT.file,
      `${path} belongs to another user, so nothing is kept there.`,
      'Set QUIRE_CACHE to a folder of yours.',
    );
  chmodSync(path, 0o700);
  return path;
}
