import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@quire/registry/errors';
import { openStoreSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import {
  openFolderBlobs,
  openMoveSource,
  storeAddress,
  StoredFiles,
  storeFacts,
  type MovedPart,
  type MoveSource,
  type Store,
} from '../store/index.js';
import { moveFiles } from './move-files.js';
import { storageFolder } from '../storage/create-storage.js';
import { openServerStore } from './store-start.js';

export interface Migration {
  readonly settings: Settings;
  readonly version: string;
  /** Called with one line per step. */
  readonly say: (line: string) => void;
}

/**
 * Moves the embedded store of the base folder into the MongoDB of the settings: all records and blobs (users, keys,
 * jobs and their results, stored files, also those in a separate folder), the server certificate, saved signatures and
 * the installation id. The embedded store is not changed. The move can be repeated until a server has used the MongoDB:
 * it resumes after an interruption and copies later changes. Throws SETTINGS_INVALID when the settings name no MongoDB,
 * a server is using the base folder, servers already use the MongoDB, or its secret is a different one.
 */
export async function migrateStore({ settings, version, say }: Migration): Promise<readonly MovedPart[]> {
  const folder = settings.paths.store;
  if (storeAddress(settings) === undefined)
    throw new StartupError('SETTINGS_INVALID', {
      where: 'store.mongodb.url',
      detail: 'it is empty; set it to the MongoDB to which the store is to be moved',
    });
  await access(join(folder, 'quire.db')).catch(() => {
    throw new StartupError('SETTINGS_INVALID', {
      where: folder,
      detail:
        'there is no embedded store here; set QUIRE_BASE_PATH to the base folder of the server that you want to move',
    });
  });
  const log = {
    debug: () => undefined,
    info: (_data: object, text: string) => say(text),
    warn: (data: object, text: string) => say(`${text} ${JSON.stringify(data)}`),
    error: (_data: object, text: string) => say(text),
  };
  const clock = { now: () => new Date() };
  const kept = storageFolder(settings);
  const hasKept = await access(kept).then(
    () => true,
    () => false,
  );
  const source = await openMoveSource(folder, version, hasKept ? { storage: openFolderBlobs(kept) } : {});
  try {
    const target = await openServerStore({ settings, log, version, moving: true });
    try {
      return await moveInto(target, source);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }

  async function moveInto(target: Store, from: MoveSource): Promise<readonly MovedPart[]> {
    const facts = storeFacts(target);
    const [used, move] = [await facts.get('used'), await facts.get('move')];
    if (used !== undefined) {
      if (move?.value !== 'done')
        throw new StartupError('SETTINGS_INVALID', {
          where: 'store.mongodb.database',
          detail: `servers have used this store since ${used.at}, and a move would delete their data. Name another one`,
        });
      say(
        `Servers have used this MongoDB since ${used.at}. Data that was moved before is there; nothing is ` +
          'moved again, because that would undo their work.',
      );
      return [];
    }
    if (move === undefined && (await hasData(target)))
      throw new StartupError('SETTINGS_INVALID', {
        where: 'store.mongodb.database',
        detail: 'this database contains other data, which a move could delete. Name an empty database',
      });
    const fact = { id: 'move', by: version, at: clock.now().toISOString() };
    await facts.put({ ...fact, value: 'unfinished' });
    // Checked before anything is copied: data sealed with one secret cannot be opened with another.
    const secret = await openStoreSecret({
      store: target,
      setting: settings.get('store.secret'),
      file: join(folder, 'server.key'),
      clock,
      log,
      version,
    });
    const parts = [...(await from.moveTo(target, (part) => say(lineOf(part))))];
    parts.push(await moveFiles(settings.paths, new StoredFiles(target, secret, clock, true)));
    say(lineOf(parts.at(-1)!));
    const installation = await from.fact('installation');
    if (installation !== undefined) await facts.put(installation);
    await facts.put({ ...fact, value: 'done' });
    const [written, total] = [
      parts.reduce((sum, part) => sum + part.written, 0),
      parts.reduce((sum, part) => sum + part.total, 0),
    ];
    say(`Moved: ${total} records, blobs and files, ${written} of them written now; all were read back and compared.`);
    say(
      `The servers on this MongoDB need the secret of this one: ${
        settings.get('store.secret') === ''
          ? `copy ${join(folder, 'server.key')} to their store/server.key, or set store.secret (STORE_SECRET) to ` +
            'its text'
          : 'the store.secret that is set here'
      }.`,
    );
    return parts;
  }
}

/** Returns true when the database has a collection other than the store's facts. */
async function hasData({ mongo }: Store): Promise<boolean> {
  const found = (await mongo?.database.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  return found.some(({ name }) => name !== 'store_facts' && !name.startsWith('system.'));
}

function lineOf({ what, name, total, written, removed, bytes, digest }: MovedPart): string {
  return (
    `${what} ${name}: ${total} (${bytes} bytes), ${written} written${removed > 0 ? `, ${removed} removed` : ''}, ` +
    `SHA-256 ${digest}`
  );
}
