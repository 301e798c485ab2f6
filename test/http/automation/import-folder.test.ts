import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { AutomationServer } from '../support/automations.js';
import { expectProblem, json, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, sessionOf } from '../support/login.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';
import { folderOf, quickScan, rotate } from '../support/watched-folders.js';

interface Entry {
  readonly name: string;
  readonly outcome: string;
  readonly automationId: string;
  readonly findings: readonly { readonly kind: string; readonly pointer: string; readonly detail: string }[];
}

describe('Making an automation of a watched folder', () => {
  const on = new AutomationServer();
  let base: string;
  let pdf: Uint8Array;
  const root = (...way: string[]): string => join(base, 'pipeline', 'watchedFolders', ...way);
  const finished = (...way: string[]): string => join(base, 'pipeline', 'finishedFolders', ...way);
  const list = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();

  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'quire-folder-import-'));
    pdf = await makePdf({ pages: 1 });
    await on.start({ ...quickScan, policies: { watchQuietPeriodMs: 50 } }, base);
  });
  after(async () => {
    await on.server.stop();
    await rm(base, { recursive: true, force: true });
  });

  async function folder(name: string, definition: object): Promise<string> {
    await mkdir(root(name), { recursive: true });
    await writeFile(root(name, 'pipeline.json'), JSON.stringify(definition));
    await until('the folder is listed', async () => (await folderOf(on.server, name)) !== undefined);
    return (await folderOf(on.server, name))?.id ?? '';
  }
  const convert = (folderId: string, dryRun = false): Promise<Answer> =>
    on.send('automations/import/watched-folder', { folderId, dryRun });
  const converted = async (folderId: string, dryRun = false): Promise<Entry> => {
    const answer = await convert(folderId, dryRun);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Entry>(answer);
  };

  it('keeps what it does and where results go, and processes nothing twice', async () => {
    const id = await folder('scans', { ...rotate, name: 'Turn scans', outputDir: '{outputFolder}/turned' });
    await writeFile(root('scans', 'before.pdf'), pdf);
    await until('the folder has worked', async () => (await list(finished('turned'))).length === 1);
    await until('its run has ended', async () => (await folderOf(on.server, 'scans'))?.done === 1);

    const report = await converted(id, true);
    expect([report.outcome, report.name]).to.deep.equal(['ready', 'Turn scans']);
    expect(await list(root('scans'))).to.include('pipeline.json');

    const entry = await converted(id);
    expect(entry.outcome).to.equal('created');
    expect(await list(root('scans'))).not.to.include('pipeline.json');
    const [aside = ''] = await list(root('scans', '.quire', 'migrated'));
    expect(JSON.parse(await readFile(root('scans', '.quire', 'migrated', aside), 'utf8'))).to.include({
      name: 'Turn scans',
    });
    const automation = await on.shown(entry.automationId);
    expect(automation).to.include({ name: 'Turn scans', enabled: false });

    await writeFile(root('scans', 'after.pdf'), pdf);
    await on.send(`automations/${automation.id}`, { ...sentOf(automation), enabled: true }, 'PUT');
    await on.post(`automations/${automation.id}/trigger`);
    await until('the result is where results went', async () => (await list(finished('turned'))).length === 2);
    await until('the file is delivered', async () => (await on.files(automation.id))[0]?.state === 'delivered');
    expect((await on.files(automation.id)).map(({ name }) => name)).to.deep.equal(['after.pdf']);
    const left = await folderOf(on.server, 'scans');
    expect(left?.done).to.equal(1);
    expect(left?.problem, 'files of an automation need no pipeline file').to.equal(null);
    await on.delete(`automations/${automation.id}`);
  });

  it('can be undone', async () => {
    const id = await folder('undone', rotate);
    await until('it is read', async () => (await folderOf(on.server, 'undone')) !== undefined);
    const { automationId } = await converted(id);
    await on.delete(`automations/${automationId}`);
    await rename(root('undone', '.quire', 'migrated', 'pipeline.json'), root('undone', 'pipeline.json'));
    await writeFile(root('undone', 'a.pdf'), pdf);
    await until('the folder works again', async () => (await folderOf(on.server, 'undone'))?.done === 1);
  });

  it('waits for open runs, and refuses what could not run, with everything as it was', async () => {
    const id = await folder('busy', rotate);
    await mkdir(root('busy', 'processing', 'run-of-somebody', 'in'), { recursive: true });
    await writeFile(root('busy', 'processing', 'stranded.pdf'), 'not a pdf');
    const busy = expectProblem(await convert(id), 409, 'AUTOMATION_CONFLICT');
    expect(busy.detail).to.match(/open runs; try again when they have ended/);
    expect(await list(root('busy'))).to.include('pipeline.json');
    await rm(root('busy'), { recursive: true });

    const step = { operation: `${API}/general/rotate-pdf`, parameters: { angle: 91 } };
    const wrong = await folder('wrong', { pipeline: [step] });
    await writeFile(root('wrong', 'a.pdf'), pdf);
    expectProblem(await convert(wrong), 400, 'AUTOMATION_INVALID');
    expect(await list(root('wrong'))).to.include('pipeline.json');
    expect(json<{ folder: object | null }[]>(await on.get('automations')).filter(({ folder: of }) => of === null)).to.be
      .empty;
    expect(json<{ sources: object[] }>(await on.get('sources')).sources).to.have.length.at.most(2);
    expectProblem(await convert('nobody'), 404, 'WATCHED_FOLDER_UNKNOWN');
  });

  it('says what will differ', async () => {
    const merge = { operation: `${API}/general/merge-pdfs`, parameters: {} };
    const { findings } = await converted(await folder('together', { pipeline: [merge] }), true);
    const alone = findings.find(({ pointer }) => pointer === '/pipeline/0');
    expect(alone?.detail).to.contain('each file alone');
    expect(findings.filter(({ kind }) => kind === 'todo').map(({ detail }) => detail)).to.have.length(1);
  });
});

describe('Making an automation of a watched folder while login is on', () => {
  it('is for administrators', async () => {
    const on = new AutomationServer();
    const login = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    await on.start({ ...quickScan, security: login });
    try {
      const boss = await sessionOf(on);
      await addUser(on, boss, 'ann');
      const ann = await sessionOf(on, 'ann', 'password of ann');
      const body = { folderId: 'x' };
      expectProblem(await on.send('automations/import/watched-folder', body, 'POST', ann), 403, 'ADMIN_ONLY');
      expectProblem(
        await on.send('automations/import/watched-folder', body, 'POST', boss),
        404,
        'WATCHED_FOLDER_UNKNOWN',
      );
    } finally {
      await on.server.stop();
    }
  });
});

/** What people decide about an automation, of what is shown. */
function sentOf(shown: object): object {
  const ofServer = ['id', 'owner', 'revision', 'createdAt', 'savedAt', 'editable', 'nextStart', 'files', 'problems'];
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !ofServer.includes(name)));
}
