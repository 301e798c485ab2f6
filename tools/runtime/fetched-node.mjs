// Fetches the Node that node.json pins: a package of the npm registry with the program of one platform. npm downloads
// it, so that the configured registry, proxy and credentials are used; the integrity is checked here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { withoutSecrets } from '../../core/settings/secret-environment.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RECORD = 512;
/** Bytes; a package with Node 24.21.0 unpacks to 190 MB. */
const MOST_UNPACKED = 1024 ** 3;

/**
 * Returns the path of the pinned Node for a platform; fetches it unless the cache has it. Throws an error whose message
 * says what to do when the platform has none, the download fails, or the bytes are not the pinned ones.
 */
export function fetchedNode({
  pins = JSON.parse(readFileSync(new URL('node.json', import.meta.url), 'utf8')),
  platform = `${process.platform}-${process.arch}`,
  folders = cacheFolders(),
} = {}) {
  const pin = pins.packages[platform];
  if (pin === undefined)
    throw new Error(
      `No Node ${pins.version} can be fetched for ${platform} (available: ${Object.keys(pins.packages).join(', ')}). ` +
        installYourself(),
    );
  const inside = join(`node-${pin.version}-${platform}`, 'bin', platform.startsWith('win32') ? 'node.exe' : 'node');
  const known = folders.map((folder) => join(folder, inside)).find((path) => existsSync(path));
  if (known !== undefined) return known;
  const target = join(firstWritable(folders), inside);
  console.error(`Fetching Node ${pin.version} (${pin.package}, about 50 MB, once) …`);
  if (pin.version !== pins.version)
    console.error(
      `For ${platform} the registry has nothing newer than Node ${pin.version}. Install Node ${pins.version} or a ` +
        'newer Node 24 yourself before you serve other people.',
    );
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(join(dirname(target), 'fetch-'));
  try {
    const program = programOf(verified(downloaded(pin, scratch, target), pin));
    const fresh = join(scratch, 'node');
    writeFileSync(fresh, program, { mode: 0o755 });
    checkThatItRuns(fresh, pin, platform);
    renameSync(fresh, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return target;
}

/**
 * Returns the folders for fetched programs: `.cache` in this repository, because whoever may read the code (workers
 * with a user of their own, too) must be able to run it; else, where the repository is read-only, the user's cache.
 */
function cacheFolders() {
  return [join(root, '.cache'), join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'quire')];
}

function firstWritable(folders) {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // Not writable: the next one.
    }
  }
  throw new Error(`Node has to be kept in one of these folders, but none is writable: ${folders.join(', ')}`);
}

/** Returns the bytes of the package, as npm downloads them with this machine's settings. */
function downloaded({ package: name, version }, folder, target) {
  const script = /npm-cli\.js$/.test(process.env.npm_execpath ?? '') ? process.env.npm_execpath : undefined;
  const [command, first] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const options = ['--loglevel=error', '--ignore-scripts', '--fetch-retry-mintimeout=1000'];
  const { status, stderr, error } = spawnSync(
    command,
    [...first, 'pack', `${name}@${version}`, '--pack-destination', folder, ...options, '--fetch-retry-maxtimeout=5000'],
    {
      cwd: root,
      encoding: 'utf8',
      shell: script === undefined && process.platform === 'win32',
      env: withoutSecrets(process.env),
    },
  );
  const file = join(folder, `${name}-${version}.tgz`);
  if (status === 0 && existsSync(file)) return readFileSync(file);
  const reason = error?.message ?? stderr.trim().split('\n').slice(0, 4).join('\n  ');
  throw new Error(
    `Quire runs on Node 24, and this is Node ${process.versions.node}. Fetching Node ${version} from the npm registry ` +
      `failed (npm pack ${name}@${version}):\n  ${reason}\nConnect to the registry and try again. Without a network: ` +
      `put the file package/bin/node of that package at\n  ${target}\n${installYourself()}`,
  );
}

/** Returns the bytes if they have the pinned digest. */
function verified(bytes, { package: name, version, integrity }) {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found === integrity) return bytes;
  throw new Error(
    `The registry's ${name}@${version} is not the pinned one and was not used.\n  expected ${integrity}\n  found    ` +
      `${found}\nCheck the registry that npm is configured with (npm config get registry). ${installYourself()}`,
  );
}

/** Returns the file bin/node (or bin/node.exe) of a package: a gzipped tar archive (POSIX.1-1988, ustar). */
function programOf(archive) {
  const tar = gunzipSync(archive, { maxOutputLength: MOST_UNPACKED });
  for (let at = 0; at + RECORD <= tar.length;) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    if (/^package\/bin\/node(?:\.exe)?$/.test(name)) return tar.subarray(at + RECORD, at + RECORD + size);
    at += RECORD + Math.ceil(size / RECORD) * RECORD;
  }
  throw new Error('The fetched package has no file bin/node.');
}

function checkThatItRuns(path, { version }, platform) {
  if (platform !== `${process.platform}-${process.arch}`) return;
  const { status, stdout, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.trim() === `v${version}`) return;
  throw new Error(
    `The fetched Node ${version} does not run on this machine: ${error?.message ?? (stderr || stdout).trim()}. ` +
      `(It needs a system with glibc, and ${dirname(dirname(path))} must allow programs.) ${installYourself()}`,
  );
}

function installYourself() {
  return 'Or install Node 24 yourself (https://nodejs.org, or: nvm install 24) and put it on PATH.';
}
