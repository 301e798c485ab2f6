import { expect } from 'chai';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { workerEntry } from './worker-process.js';
import { workerFlags } from './worker-start.js';

/** Prints what V8 compares when it is given compiled code. */
const PRINT_TAG =
  "import { cachedDataVersionTag } from 'node:v8'; process.on('exit', () => console.log(cachedDataVersionTag()));";
const asModule = `data:text/javascript,${encodeURIComponent(PRINT_TAG)}`;

const plainTag = (...flags: readonly string[]): string =>
  execFileSync(process.execPath, [...flags, '-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' }).trim();

describe('The flags of a worker', () => {
  it('do not keep V8 from using the code that is compiled into Node', async () => {
    const worker = fork(workerEntry, [], {
      execArgv: [...workerFlags(512), `--import=${asModule}`],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    const printed = text(worker.stdout as Readable);
    await once(worker, 'message');
    worker.disconnect();
    expect((await printed).trim()).to.equal(plainTag());
    expect(plainTag(...workerFlags(512))).not.to.equal(plainTag());
  });
});
