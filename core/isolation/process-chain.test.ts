import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { innermost, killInnermost } from './process-chain.js';

describe('chains of processes', () => {
  it('ends the program at the end of the chain, and with it those that wait for it', async () => {
    const child = spawn('sh', ['-c', 'sleep 60; exit 3'], { stdio: 'ignore' });
    await once(child, 'spawn');
    while (innermost(child.pid ?? 0) === child.pid) await new Promise((resolve) => setTimeout(resolve, 5));
    killInnermost(child);
    expect(await once(child, 'exit')).to.deep.equal([3, null]);
  });

  it('signals nothing for a program that could not be started', async () => {
    // In a process group of its own: number 0 would be all of that group.
    const code = `
      import { spawn } from 'node:child_process';
      import { killInnermost } from ${JSON.stringify(new URL('process-chain.ts', import.meta.url).href)};
      const child = spawn('/nowhere/program');
      child.on('error', () => {});
      killInnermost(child);
      setTimeout(() => process.exit(7), 50);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
      detached: true,
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).to.deep.equal([7, null]);
  });
});
