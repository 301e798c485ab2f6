import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { findProgram } from '../../../core/isolation/index.js';

interface Facts {
  readonly layers: readonly string[];
  /** "done", or the code of the error with which an attempt ended. */
  readonly ends: Readonly<Record<string, string>>;
  readonly link: { readonly status: number; readonly body: string };
}

const script = fileURLToPath(new URL('./attack.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const bubblewrap = findProgram('bwrap', process.env['PATH'] ?? '');
/** Runs the command as an ordinary user. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'];

const known = new Map<string, Promise<Facts>>();

/** The facts of an attack; each kind is made once, because a server is started for it. */
function attack(before: readonly string[], ...layers: readonly string[]): Promise<Facts> {
  const key = [...before, ...layers].join(' ');
  const facts = known.get(key) ?? attackOnce(before, layers);
  known.set(key, facts);
  return facts;
}

async function attackOnce(before: readonly string[], layers: readonly string[]): Promise<Facts> {
  const node = [process.execPath, '--import', 'tsx', script, ...(layers.length > 0 ? [layers.join(',')] : [])];
  const [command = '', ...args] = [...before, ...node];
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', SECRET: 'in the environment' };
  const { stdout } = await promisify(execFile)(command, args, { env, timeout: 120_000 });
  return JSON.parse(stdout) as Facts;
}

const gains = ({ ends }: Facts): string[] => Object.keys(ends).filter((what) => ends[what] === 'done');

describe('A worker that was taken over', function suite() {
  this.timeout(180_000);
  before(function () {
    if (bubblewrap === undefined) this.skip();
  });

  const users: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['an ordinary user', isRoot ? asNobody : [], []],
    ...(isRoot ? [['root', [], ['user']] as const] : []),
  ];
  for (const [name, before, more] of users) {
    it(`gains nothing when the server runs as ${name}`, async () => {
      const facts = await attack(before);
      expect(facts.layers).to.deep.equal(['permissions', 'namespaces', 'files', 'limits', ...more]);
      expect(Object.keys(facts.ends)).to.have.length(12);
      expect(gains(facts)).to.deep.equal([]);
    });

    it(`gains nothing from a hole in Node's permissions when the server runs as ${name}`, async () => {
      const facts = await attack(before, 'namespaces', 'files', 'limits', 'user');
      expect(facts.layers).to.deep.equal(['namespaces', 'files', 'limits', ...more]);
      expect(gains(facts)).to.deep.equal([]);
    });
  }

  it('reads and writes nothing of the server where only Node can confine it', async () => {
    const facts = await attack([], 'permissions', 'limits');
    expect(facts.layers).to.deep.equal(['permissions', 'limits']);
    // The network and signals are out of this layer's reach.
    expect(gains(facts).filter((what) => what !== 'open a socket' && what !== 'end the server')).to.deep.equal([]);
  });

  it('cannot have a file of the server sent as its result', async () => {
    for (const layers of [[], ['limits']]) {
      const { link } = await attack([], ...layers);
      expect(link.status).to.equal(500);
      expect(link.body).to.contain('"code":').and.to.not.contain('logging');
    }
  });
});

describe('The confinement of workers', () => {
  it('can be required: the server does not start without it, and says what this machine can do', async () => {
    const settings = { security: { isolation: ['limits'], requireIsolation: ['limits', 'files'] } };
    const error = await createTestServer({ settings }).then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(error?.message)
      .to.contain('security.requireIsolation')
      .and.to.contain('cannot confine workers by: files')
      .and.to.contain('Install bubblewrap');
  });

  it('has no layers of other names', async () => {
    const error = await createTestServer({ settings: { security: { requireIsolation: ['walls'] } } }).then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(error?.message).to.contain('"walls" is not a layer; the layers are permissions');
  });
});
