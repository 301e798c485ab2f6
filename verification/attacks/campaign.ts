import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BuiltServer } from '../corpus/built-server.js';
import type { Arena } from './arena.js';
import type { Attack } from './attack.js';
import { judge } from './judge.js';
import { sendAttack } from './send-attack.js';

/** An attack and how it ended. */
export interface Row {
  readonly attack: Attack;
  readonly status: number;
  /** Milliseconds. */
  readonly took: number;
  readonly faults: readonly string[];
}

/** Milliseconds between two probes, and the delay of an answer from which on somebody holds up all others. */
const PROBE = { every: 100, late: 1500 } as const;
/** Whoever is suspected of holding up others is tried alone this often. */
const TRIALS = 3;

/** A probe that was answered late: when it was sent (Unix time), and after how long; milliseconds. */
interface Delay {
  readonly at: number;
  readonly ms: number;
}

/** Sends attacks, judges the answers, and watches whether the server still answers others in time. */
export class Campaign {
  readonly rows: Row[] = [];
  readonly #pid: number;
  #delays: Delay[] = [];
  readonly #probe: ChildProcess;

  constructor(
    private readonly arena: Arena,
    private readonly server: BuiltServer,
    private readonly atOnce: number,
  ) {
    this.#pid = server.pid;
    this.#probe = this.#startProbe();
  }

  /** Sends these attacks, several at once, and returns a row for each. */
  async run(attacks: readonly Attack[]): Promise<readonly Row[]> {
    await this.arena.renewAdministrator(this.server);
    this.#delays = [];
    const rows: { -readonly [K in keyof Row]: Row[K] }[] = [];
    const spans: { readonly from: number; readonly to: number; readonly row: (typeof rows)[number] }[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let attack = attacks[next++]; attack !== undefined; attack = attacks[next++]) {
        const from = Date.now();
        const received = await sendAttack(this.server.url, attack, this.arena.headersOf(attack.caller));
        const { status, took } = received;
        const row = { attack, status, took, faults: judge(attack, received, this.arena.guarded) };
        rows.push(row);
        spans.push({ from, to: Date.now(), row });
        if (attack.caller === 'administrator' && status === 401) await this.arena.renewAdministrator(this.server);
      }
    };
    await Promise.all(Array.from({ length: this.atOnce }, work));
    const suspects = new Set(
      this.#delays.flatMap(({ at, ms }) =>
        spans.filter(({ from, to }) => from < at + ms && to > at).map(({ row }) => row),
      ),
    );
    for (const row of suspects) {
      const worst = await this.#aloneWith(row.attack);
      if (worst > PROBE.late) row.faults = [...row.faults, `delays all other callers by ${Math.round(worst)} ms`];
    }
    this.rows.push(...rows);
    return rows;
  }

  /** What is wrong after the last attack: calls that were heard, files that were created, a server that restarted. */
  async finish(): Promise<string[]> {
    // Call-backs of jobs are tried again.
    await delay(3000);
    const wrong = [
      ...this.arena.heard.map((line) => `the server called ${line}`),
      ...this.arena.dropped().map((name) => `a file was created: ${name}`),
    ];
    const alive = await fetch(`${this.server.url}/api/v1/info/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!alive || this.server.process.exitCode !== null || this.server.pid !== this.#pid)
      wrong.push('the server does not answer any more');
    this.#probe.kill();
    const unexpected = readFileSync(this.arena.logFile, 'utf8').match(/(?:uncaught|unhandled)[^\n]{0,200}/gi) ?? [];
    return [...wrong, ...unexpected.map((line) => `the log says: ${line}`)];
  }

  /** The least delay that others have beside an attack, over some trials: a busy machine is not its fault. */
  async #aloneWith(attack: Attack): Promise<number> {
    let least = Infinity;
    for (let i = 0; i < TRIALS && least > PROBE.late; i++) {
      this.#delays = [];
      await sendAttack(this.server.url, attack, this.arena.headersOf(attack.caller));
      await delay(PROBE.every * 3);
      least = Math.min(least, Math.max(0, ...this.#delays.map(({ ms }) => ms)));
    }
    return least;
  }

  /** In a process of its own: making attacks keeps this one busy. */
  #startProbe(): ChildProcess {
    const script = fileURLToPath(new URL('probe.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, this.server.url, String(PROBE.every), String(PROBE.late)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#delays.push(JSON.parse(line) as Delay));
    return child;
  }
}
