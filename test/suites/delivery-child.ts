import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderDestination } from '../../core/automation/connectors/folder/folder-destination.js';
import { loadSettings } from '../../core/settings/index.js';
import { writeDurably } from '../../core/folders/index.js';
import { contextForTest, validated } from './connectors.js';

/**
 * A server process for tests of deliveries: `delivery-child.ts <folder> <files> [<server>]`. Delivers `result` under
 * the same name again and again, as far as earlier processes have not; writes a line before each delivery. `state`
 * keeps what a server records: notes, and deliveries that have ended. With a third argument, it is one of several
 * servers with stores and results of their own (`state-<server>`, `result-<server>`).
 */
const [base = '', files = '0', server] = process.argv.slice(2);
const own = server === undefined ? '' : `-${server}`;
const stateFile = join(base, `state${own}`);
const settings = loadSettings({ env: { POLICIES_ALLOWEDFOLDERROOTS: join(base, 'out') }, cwd: base });
const kind = folderDestination({ settings, clock: { now: () => new Date() } });
const open = await kind.open(validated(kind, { directory: join(base, 'out') }), contextForTest());
const state = JSON.parse(await readFile(stateFile, 'utf8').catch(() => '{}')) as Record<string, string | null>;
const record = async (id: string, note: string | null): Promise<void> => {
  state[id] = note;
  await writeDurably(stateFile, JSON.stringify(state));
};
const path = join(base, `result${own}`);
const { length: size } = await readFile(path);
for (let n = 0; n < Number(files); n++) {
  const id = `delivery ${n}${own}`;
  if (state[id] === null) continue;
  process.stdout.write(`${id}\n`);
  await open.deliver(
    { path, name: 'result.bin', size, mediaType: 'application/octet-stream' },
    {
      id,
      automation: 'test',
      input: null,
      from: async () => null,
      files: 1,
      note: state[id] ?? null,
      remember: (note) => record(id, note),
    },
  );
  // Null: it has ended.
  await record(id, null);
}
