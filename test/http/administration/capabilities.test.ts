import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { until, type TestServer } from '../support/server.js';

interface Capabilities {
  readonly version: string;
  readonly licence: { readonly tier: string };
  readonly hosting: string;
  readonly login: boolean;
  readonly operations: readonly {
    readonly path: string;
    readonly since: string;
    readonly accepts: readonly string[];
    readonly parts: readonly { readonly field: string }[];
    readonly effects: readonly string[];
    readonly writes?: string;
    readonly enabled: boolean;
    readonly reason: string | null;
    readonly missing: readonly string[];
  }[];
  readonly plugins: readonly { readonly name: string; readonly version: string }[];
  readonly engines: readonly { readonly name: string; readonly version: string; readonly usedBy: readonly string[] }[];
  readonly programs: readonly {
    readonly name: string;
    readonly found: boolean;
    readonly version: string | null;
    readonly install?: string;
  }[];
  readonly programsComplete: boolean;
  readonly ocrLanguages: readonly string[];
  readonly missing: readonly {
    readonly program: string;
    readonly neededBy: readonly string[];
    readonly install: string;
  }[];
  readonly limits: Readonly<Record<string, number>>;
}

describe('Capabilities', () => {
  const servers: TestServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  async function start(settings: Readonly<Record<string, unknown>> = {}): Promise<TestServer> {
    const server = await createTestServer({ settings });
    servers.push(server);
    await server.start();
    return server;
  }
  const ask = async (server: TestServer): Promise<Capabilities> =>
    json<Capabilities>(await send(`${server.url}/api/v1/capabilities`));

  it('list every operation with its input and effects', async () => {
    const server = await start({
      licence: { tier: 'team' },
      limits: { maxPages: 77 },
      system: { fileUploadLimit: '3MB' },
    });
    const all = await ask(server);
    expect(all.operations.map(({ path }) => path)).to.have.members(
      [...server.catalog.operations.keys()].map((path) => `/api/v1/${path}`),
    );
    const watermark = all.operations.find(({ path }) => path.endsWith('/add-watermark'));
    expect(watermark?.parts.map(({ field }) => field)).to.include('watermarkImage');
    expect(all.operations.find(({ path }) => path.endsWith('/rotate-pdf'))).to.deep.include({
      accepts: ['pdf'],
      since: server.catalog.operations.get('general/rotate-pdf')?.operation.since,
      enabled: true,
      reason: null,
      missing: [],
    });
    expect([all.licence.tier, all.hosting, all.login]).to.deep.equal(['team', 'selfHosted', false]);
    expect(all.limits).to.include({ maxPages: 77, maxUploadBytes: 3 * 1024 * 1024 });
  });

  it('list the versions of plugins, document libraries and, after their first check, programs', async () => {
    const server = await start();
    const all = await ask(server);
    expect(all.plugins.map(({ name }) => name)).to.include('@quire/plugin-general');
    expect(all.engines.map(({ name }) => name)).to.include('@quire/document');
    for (const { name, version, usedBy } of all.engines)
      expect([version, usedBy.length > 0], name).to.satisfy(
        ([text, used]: [string, boolean]) => /^\d+\.\d+/.test(text) && used,
      );
    await until('the programs were asked', async () => (await ask(server)).programsComplete);
    const { programs, ocrLanguages } = await ask(server);
    expect(programs.map(({ name }) => name)).to.include.members([
      'libreoffice',
      'qpdf',
      'ghostscript',
      'mutool',
      'tesseract',
      'verapdf',
    ]);
    for (const { name, found, version, install } of programs) {
      if (found) expect(version, name).to.match(/\d+\.\d+/);
      else if (name === 'verapdf') expect(install).to.include('install-programs.sh --with-verapdf');
      else expect([version, install?.includes('install-programs.sh')], name).to.deep.equal([null, true]);
    }
    if (programs.some(({ name, found }) => name === 'tesseract' && found))
      expect(ocrLanguages.filter((language) => language === 'osd' || !/^[\w/+-]+$/.test(language))).to.deep.equal([]);
  });

  it('list what is missing, which operations need it and how to install it', async () => {
    // A program set to a path where nothing exists is missing on every machine.
    const server = await start({ system: { customPaths: { operations: { soffice: '/nowhere/soffice' } } } });
    const { missing, operations, programs } = await ask(server);
    expect(programs.find(({ name }) => name === 'libreoffice')).to.include({ found: false, version: null });
    const needy = missing.find(({ program }) => program === 'libreoffice');
    expect(needy?.neededBy).to.include('/api/v1/convert/file/pdf');
    expect(needy?.install).to.include('install-programs.sh');
    expect(operations.find(({ path }) => path === '/api/v1/convert/file/pdf')).to.deep.include({
      enabled: false,
      reason: 'DEPENDENCY',
      missing: ['libreoffice'],
    });
    const refused = await send(`${server.url}/api/v1/convert/file/pdf`, { method: 'POST' });
    expect(refused.status).to.equal(503);
  });

  it('do not start a program whose tool group was removed', async () => {
    const server = await start({ endpoints: { groupsToRemove: ['qpdf', 'LibreOffice'] } });
    const { programs, operations } = await ask(server);
    expect(programs.find(({ name }) => name === 'qpdf')?.found).to.equal(false);
    expect(operations.find(({ path }) => path === '/api/v1/convert/file/pdf')).to.include({
      enabled: false,
      reason: 'CONFIG',
    });
    expect(operations.find(({ path }) => path === '/api/v1/misc/repair')).to.include({ enabled: true });
  });
});
