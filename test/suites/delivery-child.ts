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
 * servers with stores and results of their own (`state-<server>`, `result-<server>`). With the fourth argument
 * `linked`, each delivery has a result of its own (`results/<number>`) that may get another name instead of a copy.
 */
const [base = '', files = '0', server = '', results] = process.argv.slice(2);
const own = server === '' ? '' : `-${server}`;
const linkable = results === 'linked';
const stateFile = join(base, `state${own}`);
const settings = loadSettings({ env: { POLICIES_ALLOWEDFOLDERROOTS: join(base, 'out') }, cwd: base });
const kind = folderDestination({ settings, clock: { now: () => new Date() } });
const open = await kind.open(validated(kind, { directory: join(base, 'out') }), contextForTest());
const state = JSON.parse(await readFile(stateFile, 'utf8').catch(() => '{}')) as Record<string, string | null>;
const record = async (id: string, note: string | null): Promise<void> => {
  state[id] = note;
  await writeDurably(stateFile, JSON.stringify(state));
};
const pathOf = (n: number): string => join(base, linkable ? `results/${n}` : `result${own}`);
const { length: size } = await readFile(pathOf(0));
for (let n = 0; n < Number(files); n++) {
  const id = `delivery ${n}${own}`;
  if (state[id] === null) continue;
  process.stdout.write(`${id}\n`);
  await open.deliver(
    { path: pathOf(n), name: 'result.bin', size, mediaType: 'application/octet-stream', linkable },
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
