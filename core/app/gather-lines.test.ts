import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { gatherLines } from './gather-lines.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What a program prints that logs as the server does. */
async function printed(program: string): Promise<readonly string[]> {
  const code =
    `import { pino } from 'pino'; import { gatherLines } from './core/app/gather-lines.ts';` +
    `const log = pino({}, gatherLines(pino.destination({ dest: 1, sync: true }))); ${program}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await once(child, 'close');
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('lines of the log', () => {
  const gathered = () => {
    const writes: string[] = [];
    const log = pino({}, gatherLines({ write: (text) => writes.push(text), flushSync: () => undefined }));
    const messages = (): string[][] =>
      writes.map((text) =>
        text
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { msg: string }).msg),
      );
    return { log, messages };
  };

  it('are written several at once, in their order', async () => {
    const { log, messages } = gathered();
    log.info('one');
    log.info('two');
    expect(messages()).to.deep.equal([]);
    while (messages().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    log.info('three');
    while (messages().length === 1) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(messages()).to.deep.equal([['one', 'two'], ['three']]);
  });

  it('do not wait when one is a warning or an error, a child logger’s too', () => {
    const { log, messages } = gathered();
    log.info('one');
    log.warn('two');
    log.child({ requestId: 'x' }).error('three');
    expect(messages()).to.deep.equal([['one', 'two'], ['three']]);
  });

  it('do not wait when there are many', () => {
    const { log, messages } = gathered();
    for (let n = 0; n < 1000; n++) log.info('x'.repeat(100));
    expect(messages().length).to.be.greaterThan(3);
  });

  for (const [how, end] of [
    ['exits', 'process.exit(3);'],
    ['has nothing more to do', ''],
    ['ends by an error that nobody caught', `setTimeout(() => { throw new Error('broken'); });`],
    ['ends right after a fatal error', `log.fatal('fatal'); process.kill(process.pid, 'SIGKILL');`],
  ] as const)
    it(`are all written when the process ${how}`, async () => {
      const messages = await printed(`for (let n = 0; n < 300; n++) log.info('line ' + n); ${end}`);
      const wanted = Array.from({ length: 300 }, (_, n) => `line ${n}`);
      expect(messages).to.deep.equal(end.includes('fatal') ? [...wanted, 'fatal'] : wanted);
    }).timeout(60_000);
});
