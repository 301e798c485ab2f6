import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer, turn, type ShownFile } from '../support/automations.js';
import { expectProblem, json, pointers } from '../support/client.js';
import { addUser, bossName, bossPassword, sendFields, sessionOf } from '../support/login.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';
import { StorageClient, type Caller, type FolderWire, type StoredFileWire } from '../support/storage.js';

interface Shown {
  readonly id: string;
  readonly folderId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly steps: readonly { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  readonly output: { readonly mode: string; readonly folderId: string | null };
}

const PATH = 'processing-folders';
const steps = turn.pipeline;
const split = [{ operation: `${API}/general/split-pages`, parameters: { pageNumbers: 'all' } }];

describe('Processing folders', function processingFolders() {
  this.timeout(60_000);
  const on = new AutomationServer();
  let client: StorageClient;
  let boss: Caller;
  let ann: Caller;
  let bob: Caller;
  let pdf: Uint8Array;

  before(async () => {
    await on.start({
      storage: { enabled: true, quotas: { maxStorageMbPerUser: 1 } },
      security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
    });
    client = new StorageClient(on);
    boss = await sessionOf(on);
    for (const name of ['ann', 'bob']) await addUser(on, boss, name);
    ann = await sessionOf(on, 'ann', 'password of ann');
    bob = await sessionOf(on, 'bob', 'password of bob');
    pdf = await makePdf({ pages: 2 });
  });
  after(() => on.server.stop());
  afterEach(async () => {
    for (const { id } of await listed(ann)) await on.delete(`${PATH}/${id}`, ann);
    for (const { id } of await client.list(ann)) await client.remove(`/files/${id}`, ann);
  });

  const folder = (name: string, caller = ann): Promise<FolderWire> => client.makeFolder(caller, { name });
  const save = (body: object, caller = ann) => on.send(PATH, body, 'POST', caller);
  const made = async (body: object, caller = ann): Promise<Shown> => {
    const answer = await save(body, caller);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Shown>(answer);
  };
  const listed = async (caller: Caller): Promise<readonly Shown[]> => json<Shown[]>(await on.get(PATH, caller));
  const move = (id: number, folderId: string | null) => client.json('PATCH', `/files/${id}/folder`, { folderId }, ann);
  const put = async (folderId: string, fileName = 'a.pdf', bytes = pdf): Promise<StoredFileWire> => {
    const file = await client.keep(ann, bytes, { fileName, type: 'application/pdf' });
    expect((await move(file.id, folderId)).status).to.equal(204);
    return file;
  };
  const items = async (id: string): Promise<readonly ShownFile[]> =>
    json<{ files: ShownFile[] }>(await on.get(`automations/${id}/items`, ann)).files;
  const ended = (id: string, count: number) =>
    until(`${count} files have ended`, async () => {
      const all = await items(id);
      return all.length === count && all.every(({ state }) => state === 'delivered' || state === 'parked');
    });
  const within = async (folderId: string): Promise<readonly StoredFileWire[]> =>
    (await client.list(ann)).filter((file) => file.folderId === folderId);
  const runsOf = async (id: string): Promise<number> =>
    json<{ runs: object[] }>(await on.get(`automations/${id}/runs`, ann)).runs.length;

  it('replace the content of the files that are there and of those that arrive, once for each content', async () => {
    const { id: folderId } = await folder('Scans');
    const first = await put(folderId);
    const shown = await made({ folderId, steps });
    expect(shown).to.deep.include({
      folderId,
      name: 'Scans',
      enabled: true,
      steps: steps.map((step) => ({ ...step, fileParameters: {} })),
      output: { mode: 'new_version', folderId: null },
    });
    await ended(shown.id, 1);
    const turned = await client.describe(first.id, ann);
    expect(turned).to.include({ fileName: 'a.pdf', folderId });
    expect(turned.updatedAt).not.to.equal(null);
    expect((await items(shown.id))[0]).to.deep.include({ state: 'delivered', reason: null });
    await put(folderId, 'b.pdf');
    await ended(shown.id, 2);
    // Its results are no new files, and neither is a file that was moved away and back, or renamed.
    await move(first.id, null);
    await on.post(`${PATH}/${shown.id}/sweep`, ann);
    await move(first.id, folderId);
    const swept = await on.post(`${PATH}/${shown.id}/sweep`, ann);
    expect(swept.status).to.equal(202);
    expect(json(swept)).to.deep.equal({ runIds: [], filesListed: 2, alreadyProcessed: 2, parked: 0, inFlight: 0 });
    expect(await runsOf(shown.id)).to.equal(2);
    // A new content is processed.
    await client.upload(
      [{ bytes: await makePdf({ pages: 3 }), fileName: 'a.pdf', type: 'application/pdf' }],
      ann,
      first.id,
    );
    await until('the new content is processed', async () => (await runsOf(shown.id)) === 3);
    await ended(shown.id, 2);
    expect(await within(folderId)).to.have.length(2);
  });

  it('store several results, and those of new_file, as new files, which they do not process', async () => {
    const [{ id: folderId }, { id: other }] = [await folder('Parts'), await folder('Out')];
    const shown = await made({ folderId, steps: split, output: { mode: 'new_version' } });
    await put(folderId);
    await until('the parts are there', async () => (await within(folderId)).length === 3);
    await ended(shown.id, 3);
    expect(await runsOf(shown.id)).to.equal(1);
    const changed = await made({ id: shown.id, folderId, steps, output: { mode: 'new_file', folderId: other } });
    expect(changed.output).to.deep.equal({ mode: 'new_file', folderId: other });
    await put(folderId, 'c.pdf');
    await until('the result is there', async () => (await within(other)).length === 1);
    expect(await within(folderId)).to.have.length(4);
    // Members that are missing stay.
    const paused = await made({ id: shown.id, folderId, enabled: false });
    expect(paused).to.deep.equal({ ...changed, enabled: false });
  });

  it('belong to the owner of the folder, and administrators can stop them', async () => {
    const { id: folderId } = await folder('Private');
    const lock = { operation: `${API}/security/add-password`, parameters: { password: 'canary', keyLength: 256 } };
    const shown = await made({ folderId, steps: [lock] });
    expect(shown.steps[0]?.parameters['password']).to.equal('********');
    expect(await made({ id: shown.id, folderId, steps: shown.steps })).to.deep.equal(shown);
    expect(await listed(bob)).to.deep.equal([]);
    for (const path of [`automations/${shown.id}`, `automations/${shown.id}/items`, `sources/${shown.id}`])
      expectProblem(await on.get(path, bob), 404, 'NOT_FOUND');
    for (const caller of [bob, boss]) {
      expectProblem(await on.delete(`${PATH}/${shown.id}`, caller), 404, 'NOT_FOUND');
      expectProblem(await on.post(`${PATH}/${shown.id}/sweep`, caller), 404, 'NOT_FOUND');
      expectProblem(await save({ id: shown.id, folderId, steps }, caller), 404, 'NOT_FOUND');
      expectProblem(await save({ folderId, steps }, caller), 404, 'NOT_FOUND');
    }
    // The lists of policies and sources do not have them; that of automations does, for owner and administrators.
    for (const caller of [ann, boss]) {
      expect(json<object[]>(await on.get('policies', caller))).to.deep.equal([]);
      expect(
        json<{ sources: object[] }>(await on.get('sources', caller)).sources.map((row) => 'id' in row && row.id),
      ).not.to.include(shown.id);
      const native = json<{ id: string; storageFolder: string; editable: boolean }[]>(
        await on.get('automations', caller),
      );
      expect(native).to.have.length(1);
      expect(native[0]).to.include({ id: shown.id, storageFolder: folderId, editable: true });
    }
    expect(json<object[]>(await on.get('automations', bob))).to.deep.equal([]);
    const native = json<Record<string, unknown>>(await on.get(`automations/${shown.id}`, boss));
    const { name, enabled, work, inputs, destinations } = native;
    const body = { name, enabled, work, inputs, destinations };
    const off = await on.send(`automations/${shown.id}`, { ...body, enabled: false }, 'PUT', boss);
    expect(off.status, off.body.toString()).to.equal(200);
    expect((await listed(ann))[0]).to.include({ enabled: false });
    const elsewhere = { ...body, destinations: [{ type: 'shelf', options: {} }] };
    for (const caller of [ann, boss])
      expectProblem(await on.send(`automations/${shown.id}`, elsewhere, 'PUT', caller), 409, 'AUTOMATION_CONFLICT');
    expectProblem(
      await on.send('automations', { name: 'x', work: turn, inputs: [{ source: shown.id }] }, 'POST', boss),
      400,
      'AUTOMATION_INVALID',
    );
    expectProblem(
      await on.send('sources', { id: shown.id, name: 'x', type: 'box' }, 'POST', boss),
      409,
      'AUTOMATION_CONFLICT',
    );
    expect((await on.delete(`automations/${shown.id}`, boss)).status).to.equal(204);
    expect(await listed(ann)).to.deep.equal([]);
    expectProblem(await on.get(`sources/${shown.id}`, ann), 404, 'NOT_FOUND');
  });

  it('are refused with the member that is wrong', async () => {
    const { id: folderId } = await folder('Wrong');
    const { id: foreign } = await folder('Foreign', bob);
    const refused = async (body: object, status: number, code: string): Promise<string[]> =>
      pointers(expectProblem(await save(body), status, code));
    expect(await refused({ steps }, 400, 'INPUT_INVALID')).to.deep.equal(['/folderId']);
    expect(await refused({ folderId: 'x', steps }, 400, 'INPUT_INVALID')).to.deep.equal(['/folderId']);
    expect(await refused({ folderId, steps, output: { mode: 'x' } }, 400, 'INPUT_INVALID')).to.deep.equal([
      '/output/mode',
    ]);
    await refused({ folderId: foreign, steps }, 404, 'NOT_FOUND');
    await refused({ id: 'unknown', folderId, steps }, 404, 'NOT_FOUND');
    expect(await refused({ folderId, steps, output: { folderId: foreign } }, 400, 'AUTOMATION_INVALID')).to.deep.equal([
      '/output/folderId',
    ]);
    const wrong = [{ ...steps[0], parameters: { angle: 'x' } }];
    expect(await refused({ folderId, steps: wrong }, 400, 'AUTOMATION_INVALID')).to.deep.equal([
      '/steps/0/parameters/angle',
    ]);
    for (const body of [{ folderId }, { folderId, steps: [] }])
      expect((await refused(body, 400, 'AUTOMATION_INVALID'))[0]).to.match(/^\/steps/);
    const { id } = await made({ folderId, steps });
    await refused({ folderId, steps }, 409, 'AUTOMATION_CONFLICT');
    expect((await on.delete(`${PATH}/${id}`, ann)).status).to.equal(204);
    expectProblem(await on.delete(`${PATH}/${id}`, ann), 404, 'NOT_FOUND');
  });

  it('do not feed each other', async () => {
    const [{ id: left }, { id: right }] = [await folder('Left'), await folder('Right')];
    await made({ folderId: left, steps, output: { mode: 'new_file', folderId: right } });
    const answer = await save({ folderId: right, steps, output: { mode: 'new_file', folderId: left } });
    expect(pointers(expectProblem(answer, 400, 'AUTOMATION_INVALID'))).to.deep.equal(['/output']);
  });

  it('park files that cannot be processed or do not fit into the quota, and keep them', async () => {
    const { id: folderId } = await folder('Full');
    const shown = await made({ folderId, steps, output: { mode: 'new_file' } });
    await put(folderId, 'broken.pdf', Buffer.from('%PDF-1.7 broken'));
    await ended(shown.id, 1);
    expect((await items(shown.id))[0]?.state).to.equal('parked');
    await client.keep(ann, Buffer.alloc(1024 * 1024 - 2500, 1), { fileName: 'large.bin' });
    await put(folderId);
    await ended(shown.id, 2);
    const parked = (await items(shown.id)).find(({ name }) => name === 'a.pdf');
    expect(parked?.reason?.code).to.equal('STORAGE_QUOTA');
    expect(await within(folderId)).to.have.length(2);
  });

  it('have the name of their folder, and end with it or with its owner', async () => {
    const { id: folderId } = await folder('Before');
    const shown = await made({ folderId, steps });
    const file = await put(folderId);
    await ended(shown.id, 1);
    await client.json('PATCH', `/folders/${folderId}`, { name: 'After' }, ann);
    expect((await listed(ann))[0]).to.include({ name: 'After' });
    expect((await client.remove(`/folders/${folderId}`, ann)).status).to.equal(200);
    expect(await listed(ann)).to.deep.equal([]);
    expectProblem(await on.get(`automations/${shown.id}`, ann), 404, 'NOT_FOUND');
    expect((await client.describe(file.id, ann)).folderId).to.equal(null);
    const { id: bobs } = await folder('Bob', bob);
    const { id } = await made({ folderId: bobs, steps }, bob);
    await sendFields(on, `${API}/user/admin/deleteUser/bob`, {}, boss);
    await until('it is gone', async () => (await on.get(`automations/${id}`, boss)).status === 404);
  });
});

describe('Processing folders without the file storage', () => {
  const on = new AutomationServer();
  before(() => on.start());
  after(() => on.server.stop());

  it('do not exist', async () => {
    expectProblem(await on.get(PATH), 403, 'FEATURE_OFF');
    expectProblem(await on.send(PATH, { folderId: '0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10', steps }), 403, 'FEATURE_OFF');
  });
});
