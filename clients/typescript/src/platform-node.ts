import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { Platform } from './platform.js';

export const nodePlatform: Platform = {
  env: (name) => process.env[name],
  defaultUrl: 'http://127.0.0.1:8080',
  open: async (path) => {
    // The error of openAsBlob names neither the path nor the reason.
    if ((await stat(path)).isDirectory()) throw new TypeError(`"${path}" is a folder; name a file.`);
    return { name: basename(path), blob: await openAsBlob(path) };
  },
  save: async (target, name, body) => {
    const path = (await isFolder(target)) ? join(target, safeName(name)) : target;
    // Written beside the target and renamed: nobody finds half a file.
    const unfinished = join(dirname(path), `.${randomUUID()}.part`);
    try {
      await pipeline(Readable.fromWeb(body as NodeStream<Uint8Array>), createWriteStream(unfinished, { flags: 'wx' }));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return path;
  },
};

async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** The name comes from the server: it must not lead out of the folder. */
function safeName(name: string): string {
  return basename(name.replaceAll('\\', '/')).replace(/^\.+$/, '') || 'result';
}
