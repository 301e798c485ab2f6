import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FolderEditorSessions, type SessionBounds } from '../../src/services/editor-sessions.js';

const MINUTE = 60_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('Editing sessions on disk', () => {
  let folder: string;
  let source: string;
  let now: number;
  const clock = { now: () => new Date(now) };
  const made: FolderEditorSessions[] = [];
  const sessionsOf = (bounds?: SessionBounds): FolderEditorSessions => {
    const sessions = new FolderEditorSessions({
      folder: join(folder, 'sessions'),
      clock,
      log: silent,
      ...(bounds === undefined ? {} : { bounds }),
    });
    made.push(sessions);
    return sessions;
  };
  const begin = (sessions: FolderEditorSessions, owner = ''): Promise<string> =>
    sessions.create(owner, { path: source, size: 8 }).then(({ jobId }) => jobId);
  const isThere = (sessions: FolderEditorSessions, jobId: string, owner = ''): Promise<boolean> =>
    sessions
      .use(owner, jobId, 'together', async ({ path }) => existsSync(path))
      .catch((error: { code: string }) => {
        expect(error.code).to.equal('EDIT_SESSION_GONE');
        return false;
      });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-sessions-'));
    source = join(folder, 'source.pdf');
    writeFileSync(source, 'document');
    now = Date.UTC(2026, 0, 1);
  });
  afterEach(() => {
    for (const sessions of made.splice(0)) sessions.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('end half an hour after their last use', async () => {
    const sessions = sessionsOf();
    const job = await begin(sessions);
    now += 29 * MINUTE;
    expect(await isThere(sessions, job)).to.equal(true);
    now += 29 * MINUTE;
    expect(await isThere(sessions, job)).to.equal(true);
    now += 30 * MINUTE;
    expect(await isThere(sessions, job)).to.equal(false);
    await begin(sessions);
    expect(readdirSync(join(folder, 'sessions'))).to.have.length(1);
  });

  it('survive a restart until their time is over, and what is half made does not', async () => {
    const first = sessionsOf();
    const old = await begin(first, 'ann');
    now += 20 * MINUTE;
    const fresh = await begin(first, 'ann');
    writeFileSync(join(folder, 'sessions', fresh.split(':')[1] ?? '', 'scratch-left'), 'x');
    now += 15 * MINUTE;
    const second = sessionsOf();
    await second.open();
    expect([
      await isThere(second, old, 'ann'),
      await isThere(second, fresh, 'ann'),
      await isThere(second, fresh, 'bob'),
    ]).to.deep.equal([false, true, false]);
    expect(readdirSync(join(folder, 'sessions', fresh.split(':')[1] ?? '')).sort()).to.deep.equal([
      'document.pdf',
      'session.json',
    ]);
  });

  it('make room for new ones, those first that were not used for the longest time', async () => {
    const sessions = sessionsOf({ perOwner: 2, sessions: 3, bytes: 1000 });
    const jobs: string[] = [];
    for (const owner of ['ann', 'ann', 'bob']) {
      jobs.push(await begin(sessions, owner));
      now += MINUTE;
    }
    expect(await isThere(sessions, jobs[0]!, 'ann')).to.equal(true);
    now += MINUTE;
    await begin(sessions, 'ann');
    expect([
      await isThere(sessions, jobs[0]!, 'ann'),
      await isThere(sessions, jobs[1]!, 'ann'),
      await isThere(sessions, jobs[2]!, 'bob'),
    ]).to.deep.equal([true, false, true]);
    const small = sessionsOf({ perOwner: 9, sessions: 9, bytes: 20 });
    await small.open();
    await begin(small, 'eve');
    expect(readdirSync(join(folder, 'sessions'))).to.have.length(2);
  });

  it('let readers in together and whoever changes the document alone', async () => {
    const sessions = sessionsOf();
    const job = await begin(sessions);
    const seen: string[] = [];
    const step = (name: string, how: 'together' | 'alone', delay: number): Promise<void> =>
      sessions.use('', job, how, async (session) => {
        seen.push(`${name} begins with ${readFileSync(session.path, 'utf8')}`);
        await new Promise((resolve) => setTimeout(resolve, delay));
        if (how === 'alone') {
          const next = session.scratch();
          writeFileSync(next, name);
          await session.replace(next);
        }
        seen.push(`${name} ends`);
      });
    await Promise.all([
      step('a', 'together', 20),
      step('b', 'together', 5),
      step('c', 'alone', 5),
      step('d', 'alone', 1),
      step('e', 'together', 1),
    ]);
    // Which of two readers finds its session first is nobody's promise.
    expect(seen.slice(0, 2).sort()).to.deep.equal(['a begins with document', 'b begins with document']);
    expect(seen.slice(2, 4).sort()).to.deep.equal(['a ends', 'b ends']);
    expect(seen.slice(4)).to.deep.equal([
      'c begins with document',
      'c ends',
      'd begins with c',
      'd ends',
      'e begins with d',
      'e ends',
    ]);
  });

  it('that are dropped while they are used go when that is over', async () => {
    const sessions = sessionsOf();
    const job = await begin(sessions);
    await sessions.use('', job, 'together', async ({ path }) => {
      await sessions.drop('', job);
      expect(existsSync(path)).to.equal(true);
    });
    expect(readdirSync(join(folder, 'sessions'))).to.deep.equal([]);
  });
});
