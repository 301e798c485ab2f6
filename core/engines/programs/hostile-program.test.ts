import { expect } from 'chai';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from '../../isolation/index.js';
import { loadSettings } from '../../settings/index.js';
import { ProgramSupervisor } from './index.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const signal = new AbortController().signal;
const searchPath = process.env['PATH'] ?? '';
/** What the attack and the other layers use. */
const tools = ['bash', 'cat', 'dirname', 'ls', 'touch', 'prlimit', 'setpriv', 'unshare'];

/** Reports on its output what it could do, one word a line. */
const hostile = `#!/bin/bash
secret=$1; other=$2; code=$3; server=$4; port=$5
try() { if eval "$2" >/dev/null 2>&1; then echo "$1"; fi; }
try key 'cat "$secret"'
try run 'ls "$other"/*'
try code 'echo "exit 1" >> "$code"'
try data 'touch "$(dirname "$secret")/left"'
try environment 'cat /proc/$server/environ'
try memory 'cat /proc/$server/maps'
try processes '[ -d /proc/$server ]'
try signal 'kill -0 $server'
try socket 'exec 3<>/dev/tcp/127.0.0.1/$port'
try system '[ -w /etc ] || [ -w /usr ] || [ -w /var/spool ]'
try shadow 'cat /etc/shadow'
try own 'echo mine > own && cat own'
`;

describe('A program that was taken over by a document', () => {
  let folder: string;
  let listener: Server;
  let connections = 0;
  const [secret, other, code] = ['data/key', 'data/tmp/runs/other', 'data/code.sh'];

  before(async function () {
    if (findProgram('bwrap', searchPath) === undefined) this.skip();
    listener = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
  });
  after(() => listener?.close());
  beforeEach(() => {
    connections = 0;
    folder = mkdtempSync(join(tmpdir(), 'quire-hostile-'));
    for (const name of ['bin', 'tools', other]) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, secret), 'the key');
    writeFileSync(join(folder, other, 'document.pdf'), 'of somebody else');
    writeFileSync(join(folder, code), 'exit 0\n');
    writeFileSync(join(folder, 'bin', 'gs'), hostile);
    for (const name of tools) {
      const path = findProgram(name, searchPath);
      if (path !== undefined) symlinkSync(path, join(folder, 'tools', name));
    }
    // The program's own folder must be readable to a user number of its own.
    for (const name of ['.', 'bin', 'bin/gs']) chmodSync(join(folder, name), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function gains(path: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
    const settings = loadSettings({ env: { ...env, QUIRE_BASE_PATH: join(folder, 'data') }, cwd: folder });
    const programs = new ProgramSupervisor(settings, quiet, `${join(folder, 'bin')}${delimiter}${path}`);
    const port = String((listener.address() as AddressInfo).port);
    const places = [secret, other, code].map((name) => join(folder, name));
    try {
      const { stdout } = await programs.run('ghostscript', [...places, String(process.pid), port], { signal });
      return stdout.trim().split('\n');
    } finally {
      await programs.stop();
    }
  }

  it('can do nothing but write in its own folder', async () => {
    expect(await gains(searchPath)).to.deep.equal(['own']);
    expect(connections).to.equal(0);
    expect(readFileSync(join(folder, code), 'utf8')).to.equal('exit 0\n');
  });

  it('has no network where bubblewrap is missing, and could otherwise do what the server may', async () => {
    const found = await gains(join(folder, 'tools'));
    expect(found).to.include('own').and.not.to.include('socket');
    expect(connections).to.equal(0);
  });

  it('is confined by nothing where the operator wants no layers, which shows that the attacks work', async () => {
    expect(await gains(searchPath, { SECURITY_ISOLATION: 'limits' })).to.include.members(['key', 'run', 'own']);
  });
});
