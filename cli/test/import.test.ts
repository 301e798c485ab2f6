import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Desk } from './support.js';

describe('Importing automations from the command line', () => {
  const server = serverForTests({ plugins: ['@quire/plugin-general'] });
  const desk = new Desk(() => server.url);
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(desk.work, name), typeof value === 'string' ? value : JSON.stringify(value));
  const automations = async (): Promise<readonly { readonly name: string; readonly enabled: boolean }[]> =>
    (await (await fetch(`${server.url}/api/v1/automations`)).json()) as { name: string; enabled: boolean }[];

  before(() => {
    const pipeline = [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }];
    mkdirSync(join(desk.work, 'watched', 'scans'), { recursive: true });
    write('watched/scans/pipeline.json', { pipeline, outputDir: '{outputFolder}', outputFileName: '{filename}' });
    write('policy.json', { name: 'Nightly', icon: 'star', steps: pipeline });
    write('broken.json', '{');
  });
  after(() => desk.remove());

  it('only reports with --dry-run', async () => {
    const text = await desk.text(['import-automations', 'policy.json', '--dry-run']);
    expect(text)
      .to.contain('policy.json: would become "Nightly"')
      .and.to.match(/differs +\/icon is left out/);
    expect(await automations()).to.deep.equal([]);
  });

  it('imports files and folders, and fails when one was refused', async () => {
    const { code, stdout } = await desk.run(['import-automations', 'policy.json', 'watched', 'broken.json']);
    const text = stdout.toString();
    expect([code, text.trimEnd().split('\n').at(-1)]).to.deep.equal([3, '2 imported, switched off; 1 refused.']);
    expect(text).to.contain('broken.json: refused: is not JSON').and.to.contain('scans - pipeline.json');
    expect((await automations()).map(({ name, enabled }) => `${name} ${enabled}`)).to.have.members([
      'Nightly false',
      'scans - pipeline false',
    ]);
  });

  it('names every file when all are refused, and what it needs', async () => {
    const all = await desk.run(['import-automations', 'broken.json']);
    expect(all.code).to.equal(3);
    expect(all.stderr).to.contain('broken.json is not JSON');
    expect((await desk.run(['import-automations'])).code).to.equal(2);
  });
});
