import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Subject, TestRunner } from './subject.js';

const run = promisify(execFile);
/** Plugins may be tested on older Node, where the permission model had another name before 23.5. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** Runs in a separate process that may only read files: Node refuses writing, child processes and threads. */
const probe = `
import net from 'node:net';
import dns from 'node:dns';
const touched = [];
net.Socket.prototype.connect = function () { touched.push('network'); throw new Error('network'); };
net.Server.prototype.listen = function () { touched.push('listening socket'); throw new Error('listen'); };
dns.lookup = function () { touched.push('DNS lookup'); throw new Error('lookup'); };
// Parts of Node open these when they are loaded (Node 24: colours of messages), and this probe prints its result.
void [process.stdout, process.stderr];
const globals = new Set(Reflect.ownKeys(globalThis));
const events = new Set(process.eventNames());
const resources = process.getActiveResourcesInfo().sort().join();
const variables = JSON.stringify(process.env);
let failure;
try { await import(process.argv[1]); } catch (error) { failure = String(error?.stack ?? error); }
await new Promise((resolve) => setImmediate(resolve));
const usual = new Set(['Immediate', 'CloseReq', 'FSReqPromise']);
const open = process.getActiveResourcesInfo().filter((name) => !usual.has(name));
const before = resources.split(',');
for (const name of before) { const at = open.indexOf(name); if (at >= 0) open.splice(at, 1); }
console.log(JSON.stringify({
  failure, touched,
  globals: Reflect.ownKeys(globalThis).filter((key) => !globals.has(key)).map(String),
  events: process.eventNames().filter((name) => !events.has(name)).map(String),
  open, environment: variables !== JSON.stringify(process.env),
}));
process.exit(0);
`;

interface ProbeResult {
  readonly failure?: string;
  readonly touched: readonly string[];
  readonly globals: readonly string[];
  readonly events: readonly string[];
  readonly open: readonly string[];
  readonly environment: boolean;
}

/** Tests that importing the plugin has no side effects: the main process imports it for its declarations. */
export function importSection(subject: Subject, { it }: TestRunner): void {
  it('has no side effects when it is imported', async () => {
    const { stdout } = await run(
      process.execPath,
      [
        '--no-warnings',
        permission,
        '--allow-fs-read=*',
        '--input-type=module',
        '--eval',
        probe,
        pathToFileURL(subject.entry).href,
      ],
      {
        cwd: subject.root,
        timeout: 20_000,
      },
    );
    const found = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as ProbeResult;
    if (found.failure !== undefined) expect.fail(`The import failed: ${found.failure}`);
    expect(found.touched, 'network').to.deep.equal([]);
    expect(found.open, 'open handles and timers').to.deep.equal([]);
    expect(found.globals, 'new globals').to.deep.equal([]);
    expect(found.events, 'process listeners').to.deep.equal([]);
    expect(found.environment, 'environment changed').to.equal(false);
  });
}
