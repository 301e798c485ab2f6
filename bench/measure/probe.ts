import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Asks the status address every 10 ms from a process of its own while `during` goes on; gives the times in ms. */
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
