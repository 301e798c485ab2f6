import { expect } from 'chai';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { goodEndpoint, goodOperation, pluginCode, usePluginPackages } from '../../test/suites/plugin-packages.js';
import { markChecked } from './checked-mark.js';
import { readManifest } from './plugin-manifest.js';

const good = pluginCode(`operations: [${goodOperation}], endpoints: [${goodEndpoint}]`);
const faulty = pluginCode(`operations: [${goodOperation.replace(".description('Angle')", '')}]`);

describe('plugins that the build has checked', () => {
  const { folder, install, load, refused } = usePluginPackages();
  const fileOf = (name: string, file: string): string => join(folder(), 'node_modules', name, 'dist', file);

  async function mark(name: string): Promise<readonly string[]> {
    const read = readManifest(join(folder(), 'node_modules', name), name);
    if (!('manifest' in read)) throw new Error(`${name} has no manifest`);
    return markChecked(read.manifest, Joi);
  }

  it('have the same schemas, and build them when they are asked for', async () => {
    install('plugin-plain', good);
    const plain = await load([{ use: 'plugin-plain' }]);
    install('plugin-marked', good);
    expect(await mark('plugin-marked')).to.deep.equal([]);
    const marked = await load([{ use: 'plugin-marked' }]);
    expect([plain, marked].map(({ plugins }) => plugins[0]?.checkedBefore)).to.deep.equal([false, true]);
    const [one, other] = [plain, marked].map(({ operations }) => operations.get('misc/turn-round')?.schema);
    expect(other?.describe()).to.deep.equal(one?.describe());
    expect(other?.validate({ angle: 45, other: 1 }).error?.details).to.have.length(2);
  });

  it('get no mark if they have faults', async () => {
    install('plugin-faulty', faulty);
    expect((await mark('plugin-faulty')).join()).to.include('the field angle has no description');
    expect(existsSync(fileOf('plugin-faulty', 'checked.json'))).to.equal(false);
  });

  it('are checked again when their entry or their prefixes have changed', async () => {
    install('plugin-marked', good);
    await mark('plugin-marked');
    const [entry, mine] = ['index.js', 'checked.json'].map((file) => fileOf('plugin-marked', file));
    const kept = readFileSync(mine!);
    install('plugin-marked', good, { quire: { kind: 'plugin', api: '^1.0.0', prefixes: ['misc', 'general'] } });
    expect((await load([{ use: 'plugin-marked' }])).plugins[0]?.checkedBefore).to.equal(false);
    install('plugin-marked', good);
    expect((await load([{ use: 'plugin-marked' }])).plugins[0]?.checkedBefore).to.equal(true);
    writeFileSync(entry!, `${good}// changed\n`);
    expect((await load([{ use: 'plugin-marked' }])).plugins[0]?.checkedBefore).to.equal(false);
    expect(readFileSync(mine!)).to.deep.equal(kept);
  });

  it('cannot lend their mark to another plugin, and a broken mark counts as none', async () => {
    install('plugin-marked', good);
    await mark('plugin-marked');
    install('plugin-faulty', faulty);
    copyFileSync(fileOf('plugin-marked', 'checked.json'), fileOf('plugin-faulty', 'checked.json'));
    expect((await refused([{ use: 'plugin-faulty' }])).message).to.include('the field angle has no description');
    writeFileSync(fileOf('plugin-marked', 'checked.json'), '{"checked":');
    expect((await load([{ use: 'plugin-marked' }])).plugins[0]?.checkedBefore).to.equal(false);
  });
});
