import { expect } from 'chai';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, field, file, json, pointers, post } from '../support/client.js';
import { API } from '../support/pipelines.js';
import { makeZip } from '../support/zip.js';

interface Entry {
  readonly file: string;
  readonly pointer: string;
  readonly name: string | null;
  readonly outcome: string;
  readonly automationId: string;
  readonly findings: readonly { readonly kind: string; readonly pointer: string; readonly detail: string }[];
  readonly error: { readonly detail: string } | null;
}

interface Report {
  readonly created: number;
  readonly refused: number;
  readonly entries: readonly Entry[];
}

const rotate = `${API}/general/rotate-pdf`;
const jsonFile = (name: string, value: unknown) =>
  file(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), name);
const found = ({ findings }: Entry, kind: string): string[] =>
  findings.filter((one) => one.kind === kind).map(({ pointer }) => pointer);

describe('Importing automations', () => {
  const on = new AutomationServer();
  const other = new AutomationServer();
  const send = (to: AutomationServer, parts: Parameters<typeof post>[1], dryRun = false) =>
    post(`${to.url}${API}/automations/import`, [...parts, ...(dryRun ? [field('dryRun', 'true')] : [])]);
  const imported = async (to: AutomationServer, ...parts: Parameters<typeof post>[1]): Promise<Report> => {
    const answer = await send(to, parts);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Report>(answer);
  };
  const entryOf = async (to: AutomationServer, name: string, value: unknown): Promise<Entry> => {
    const { entries } = await imported(to, jsonFile(name, value));
    return entries[0] as Entry;
  };

  before(async () => {
    await on.start();
    await other.start();
  });
  after(async () => {
    await on.server.stop();
    await other.server.stop();
  });

  it('moves an automation from one server to another', async () => {
    const source = await on.source({ name: 'Inbox', options: { directory: '/in' } });
    const { id } = await on.create({
      name: 'Turn',
      description: 'Turns scans',
      inputs: [{ source, trigger: { type: 'schedule', cron: '0 6 * * *', zone: 'Europe/Berlin', missed: 'skip' } }],
      destinations: [{ type: 'shelf', options: { directory: '/out' } }],
      filters: { names: ['*.pdf'] },
      concurrency: 3,
    });
    const exported = json<Readonly<Record<string, unknown>>>(await on.get(`automations/${id}/export`));
    const entry = await entryOf(other, 'turn.json', exported);
    expect(entry, JSON.stringify(entry)).to.deep.include({ name: 'Turn', outcome: 'created' });
    expect(found(entry, 'todo')).to.deep.equal([]);
    expect(json(await other.get(`automations/${entry.automationId}/export`))).to.deep.equal(exported);
    expect((await other.shown(entry.automationId)).enabled).to.equal(false);
    const again = await entryOf(other, 'turn.json', exported);
    expect(again.name).to.equal('Turn (2)');
    const sources = json<{ sources: object[] }>(await other.get('sources')).sources;
    expect(sources, 'the equal source is used again').to.have.length(1);
  });

  it('blanks secrets in an export and asks for them', async () => {
    const source = await on.source({ name: 'Secret box', options: { directory: '/secret', secret: 'hush-1' } });
    const steps = [{ operation: `${API}/security/add-password`, parameters: { password: 'hush-2' } }];
    const { id } = await on.create({ name: 'Lock', work: { pipeline: steps }, inputs: [{ source }] });
    const text = (await on.get(`automations/${id}/export`)).body.toString();
    expect(text).not.to.contain('hush');
    const entry = await entryOf(other, 'lock.json', text);
    expect(found(entry, 'todo')).to.deep.equal(['/inputs/0', '/work/pipeline/0/parameters/password']);
    const { work } = await other.shown(entry.automationId);
    const enabled = await other.send(`automations/${entry.automationId}`, { name: 'Lock', work }, 'PUT');
    expect(pointers(expectProblem(enabled, 400, 'AUTOMATION_INVALID'))).to.deep.equal([
      '/work/pipeline/0/parameters/password',
    ]);
  });

  it('translates a policy with its source', async () => {
    const policy = {
      id: 'p1',
      name: 'Nightly',
      owner: 'ann',
      icon: 'star',
      enabled: true,
      trigger: { type: 'schedule', options: { schedule: { type: 'daily', at: '02:00' }, zone: 'Europe/Berlin' } },
      sourceIds: ['s1', 's2'],
      steps: [{ operation: rotate, parameters: { angle: 180 }, fileParameters: {} }],
      output: { type: 'shelf', options: { directory: '/nightly', runOn: 'upload' } },
    };
    const described = { id: 's1', name: 'From there', type: 'box', options: { directory: '/there' } };
    const { entries } = await imported(other, jsonFile('policies.json', [policy]), jsonFile('s1.json', described));
    const [entry] = entries as [Entry];
    expect(entry).to.deep.include({ file: 'policies.json', pointer: '/0', outcome: 'created', name: 'Nightly' });
    expect(found(entry, 'differs')).to.deep.equal(['/icon', '/enabled']);
    expect(found(entry, 'todo')).to.deep.equal(['/sourceIds/1']);
    const shown = await other.shown(entry.automationId);
    expect(shown.inputs).to.have.length(1);
    expect(shown.inputs[0]).to.deep.nested.include({ 'trigger.schedule.at': '02:00' });
    expect(json(await other.get(`policies/${entry.automationId}`))).to.deep.nested.include({
      'output.options.runOn': 'upload',
      'output.options.directory': '/nightly',
    });
  });

  it('says before and after that two documents use one new source', async () => {
    const described = { name: 'Shared', type: 'box', options: { directory: '/shared' } };
    const one = (name: string) => ({ name, work: turn, inputs: [{ source: described }] });
    const files = [jsonFile('one.json', one('First of two')), jsonFile('two.json', one('Second of two'))];
    const about = ({ entries }: Report): string[] =>
      entries.map(({ findings }) => findings.find(({ pointer }) => pointer === '/inputs/0')?.detail ?? '');
    const dry = json<Report>(await send(other, files, true));
    expect(dry.entries.map(({ outcome }) => outcome)).to.deep.equal(['ready', 'ready']);
    expect(about(dry)).to.deep.equal([
      'gets a new box source "Shared"',
      'reuses the new source "Shared" of the automation "First of two"',
    ]);
    const report = await imported(other, ...files);
    const sources = await Promise.all(
      report.entries.map(async ({ automationId }) => (await other.shown(automationId)).inputs),
    );
    expect(sources[0]).to.deep.equal(sources[1]);
  });

  it('says of each step what is unknown or wrong here', async () => {
    const steps = [
      { operation: rotate, parameters: { angle: 91, tilt: 3 } },
      { operation: `${API}/general/rotate-pfd`, parameters: {} },
      { operation: `${API}/security/add-password`, parameters: { password: '' }, fileParameters: { cert: 'asset:1' } },
    ];
    const entry = await entryOf(other, 'store.json', { name: 'Shop', icon: 'x', storeId: 'sp-12345678', steps });
    expect(found(entry, 'todo')).to.include.members([
      '/steps/0/parameters/angle',
      '/steps/2/parameters/password',
      '/steps/2/fileParameters/cert',
    ]);
    expect(found(entry, 'differs')).to.include.members(['/icon', '/output', '/steps/0/parameters/tilt']);
    const unknown = entry.findings.find(({ pointer }) => pointer.startsWith('/steps/1'));
    expect(unknown?.detail).to.contain('rotate-pdf');
  });

  it('takes pipelines of watched folders', async () => {
    const pipeline = {
      name: 'Stamp it',
      pipeline: [{ parameters: {} }, { operation: rotate, parameters: { angle: 90, fileInput: 'automated' } }],
      _examples: { outputDir: '…' },
      outputDir: '{outputFolder}/{folderName}',
      outputFileName: '{filename}-{pipelineName}-{date}',
    };
    const entry = await entryOf(other, 'stamp.json', pipeline);
    expect(found(entry, 'differs')).to.deep.equal(['/pipeline/0']);
    expect(found(entry, 'translated')).to.deep.equal(['/pipeline/1/parameters/fileInput', '/outputDir']);
    expect(found(entry, 'todo')).to.deep.equal(['/outputDir', '']);
    const shown = await other.shown(entry.automationId);
    expect(shown.work.pipeline).to.deep.equal(turn.pipeline);
    expect(shown.destinations[0]?.options['filenamePattern']).to.equal('{filename}-Stamp it-{date}');
    expect(String(shown.destinations[0]?.options['directory'])).to.match(/finishedFolders$/);
  });

  it('saves nothing when it only reports', async () => {
    const before = json<object[]>(await other.get('automations')).length;
    const source = { name: 'Dry', type: 'box', options: { directory: '/dry' } };
    const value = { name: 'Dry', work: turn, inputs: [{ source, trigger: { type: 'arrival' } }] };
    const answer = await send(other, [jsonFile('a.json', value), jsonFile('b.json', value)], true);
    const { entries, created } = json<Report>(answer);
    expect([created, ...entries.map(({ name, outcome }) => `${name} ${outcome}`)]).to.deep.equal([
      0,
      'Dry ready',
      'Dry (2) ready',
    ]);
    expect(json<object[]>(await other.get('automations'))).to.have.length(before);
    expect((await other.get('sources')).body.toString()).not.to.contain('/dry');
  });

  it('refuses files that it does not understand by name, and takes the others', async () => {
    const bad = [jsonFile('broken.json', '{'), jsonFile('other.json', { hello: 1 }), jsonFile('empty.json', [])];
    const { created, refused, entries } = await imported(other, ...bad, jsonFile('good.json', turn));
    expect([created, refused]).to.deep.equal([1, 3]);
    expect(entries.filter(({ error }) => error !== null).map(({ file: name }) => name)).to.have.members([
      'broken.json',
      'other.json',
      'empty.json',
    ]);
    expect(entries.find(({ error }) => error === null)?.name).to.equal('good');
    const all = expectProblem(await send(other, bad), 400, 'INPUT_INVALID');
    expect(JSON.stringify(all)).to.contain('broken.json').and.to.contain('other.json');
  });

  it('unpacks archives, and refuses unsafe ones by name', async () => {
    const bytes = Buffer.from(JSON.stringify(turn));
    const zip = file(makeZip([{ name: 'folder/packed.json', bytes }]), 'all.zip');
    const link = file(makeZip([{ name: 'link', bytes, mode: 0o120777 }]), 'links.zip');
    const { entries } = await imported(other, zip, link);
    expect(entries.map(({ file: name, outcome }) => `${name} ${outcome}`)).to.have.members([
      'all.zip/packed.json created',
      'links.zip refused',
    ]);
    expect(entries.find(({ error }) => error === null)?.name).to.equal('packed');
  });

  it('leaves out places that this server does not have or allow', async () => {
    const entry = await entryOf(other, 'elsewhere.json', {
      name: 'Elsewhere',
      work: turn,
      inputs: [
        { source: { name: 'Far', type: 'folder', options: { directory: '/etc' } }, trigger: { type: 'arrival' } },
        { source: { name: 'Fax', type: 'fax', options: {} }, trigger: { type: 'arrival' } },
      ],
      destinations: [
        { type: 'folder', options: { directory: '/etc/out' } },
        { type: 'fax', options: {} },
      ],
    });
    expect(found(entry, 'todo')).to.have.members([
      '/inputs/0/source/directory',
      '/inputs/1/source/type',
      '/destinations/0/options/directory',
      '/destinations/1',
    ]);
    expect((await other.shown(entry.automationId)).inputs).to.deep.equal([]);
  });
});
