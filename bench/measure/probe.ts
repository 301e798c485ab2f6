import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Requests the status endpoint every 10 ms from another process while `during` runs; returns the times in milliseconds.
 */
export async function probeStatus(url: string, during: () => Promise<void>): Promise<number[]> {
  const child = fork(fileURLToPath(new URL('./status-probe.ts', import.meta.url)), [url], {
    execArgv: ['--import', 'tsx'],
  });
  const message = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the probe ended with ${code}`)));
    });
  await message();
  await during();
  const answer = message();
  child.send('stop');
  return (await answer) as number[];
}
