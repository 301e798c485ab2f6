import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { goodOperation, pluginCode } from '../../suites/plugin-packages.js';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import type { TestServer } from '../support/server.js';

describe('Texts of tools in other languages', () => {
  let folder: string;
  let server: TestServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-texts-'));
    install('quire-plugin-first', 'first', { de: '{ "Turn round": "Umdrehen", "PDF": "nicht dieses" }' });
    install('quire-plugin-second', 'second', { de: '{ "Turn round": "Wenden", "Angle": "Winkel", "Bad": 7 }' });
    install('quire-plugin-broken', 'broken', { de: 'no JSON', fr: '["Tourner"]' });
    server = await createTestServer({
      plugins: ['quire-plugin-first', 'quire-plugin-second', 'quire-plugin-broken'],
      resolveFrom: folder,
    });
    await server.start();
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A package with the operation misc/turn-<word> and translations. */
  function install(name: string, word: string, texts: Readonly<Record<string, string>>): void {
    const root = join(folder, 'node_modules', name);
    mkdirSync(join(root, 'texts'), { recursive: true });
    const operation = goodOperation.replace('misc/turn-round', `misc/turn-${word}`);
    writeFileSync(join(root, 'index.js'), pluginCode(`operations: [${operation}]`));
    const quire = { kind: 'plugin', api: '^1.0.0', prefixes: ['misc'] };
    const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js', quire };
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
    for (const [language, text] of Object.entries(texts)) writeFileSync(join(root, 'texts', `${language}.json`), text);
  }

  const ask = (language: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(`${server.url}/api/v1/console/texts/${language}`, { headers });

  it('come from the packages, the registry and earlier plugins first', async () => {
    const texts = json<Record<string, unknown>>(await ask('de'));
    expect(texts).to.include({ 'Turn round': 'Umdrehen', Angle: 'Winkel', PDF: 'PDF' });
    expect(texts, 'texts only').not.to.have.property('Bad');
  });

  it('are empty in languages that nobody has translated', async () => {
    expect(json(await ask('tlh'))).to.deep.equal({});
  });

  it('leave out a package whose file is not an object of texts', async () => {
    expect(json<Record<string, unknown>>(await ask('fr'))).not.to.have.property('0');
  });

  it('are not sent again to those who have them', async () => {
    const first = await ask('de', { 'accept-encoding': 'br' });
    expect(first.headers['content-encoding']).to.equal('br');
    const etag = String(first.headers['etag']);
    expect((await ask('de', { 'accept-encoding': 'br', 'if-none-match': etag })).status).to.equal(304);
    expect((await ask('de', { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).to.equal(200);
  });

  for (const language of ['DE', 'de-AT', 'x', 'deutsch', '..%2Fde'])
    it(`refuse ${JSON.stringify(language)} as the name of a language`, async () => {
      expectProblem(await ask(language), 400, 'INPUT_INVALID');
    });
});
