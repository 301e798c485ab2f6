import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A listener outside this repository (`probe.py canary` in the shared folder) that logs every call that reaches it. */
export class Canary {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly log: string,
  ) {}

  /**
   * Starts it on all addresses of this machine and verifies that it receives calls: an empty log alone proves nothing.
   */
  static async start(probe: string, port: number, log: string): Promise<Canary> {
    const child = spawn('python3', [probe, 'canary', String(port), log], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    const canary = new Canary(child, port, log);
    for (let i = 0; i < 100 && !existsSync(log); i++) {
      if (child.exitCode !== null)
        throw new Error(`the canary ended: ${Buffer.concat(said).toString().trim().split('\n').at(-1) ?? ''}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
    await canary.prove();
    return canary;
  }

  /** Calls it on every address that the checks use, then clears its log. Throws when a call is missing. */
  async prove(): Promise<void> {
    const before = this.heard();
    for (const host of ['127.0.0.1', '127.0.0.2', '[::1]', 'localhost']) {
      await fetch(`http://${host}:${this.port}/proof`, { signal: AbortSignal.timeout(5000) });
    }
    const heard = this.heard().length - before.length;
    if (heard !== 4) throw new Error(`the canary received ${heard} of 4 calls`);
    writeFileSync(this.log, before.map((line) => `${line}\n`).join(''));
  }

  /** The logged calls, one line each: time, method, path. */
  heard(): string[] {
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  stop(): void {
    this.child.kill();
  }
}
