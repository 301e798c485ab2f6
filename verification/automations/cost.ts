import { readFileSync } from 'node:fs';
import type { ClusterNode } from '../cluster/cluster-node.js';
import type { Planned } from './audit.js';
import { outsideServers, type Outside } from './outside.js';
import type { Turns } from '../../test/suites/turn-counter.js';

/** Which kinds of sources and destinations lead to a server. */
const USERS = {
  s3: ['s3', 's3'],
  imap: ['mailbox', ''],
  smtp: ['', 'mail'],
  receiver: ['', 'callback'],
} as const;
/** Clock ticks of Linux in a second, in which /proc counts. */
const TICKS = 100;

/** Counts what files cost: round trips with other servers, and processor time of nodes that were not restarted. */
export class CostMeter {
  readonly #turns: ReadonlyMap<string, Turns | undefined>;
  readonly #ticks: ReadonlyMap<number, number>;

  /** Counts from now on. */
  constructor(
    private readonly outside: Outside,
    private readonly nodes: readonly ClusterNode[],
  ) {
    this.#turns = new Map(outsideServers.map((server) => [server, outside.turnsWith(server)]));
    this.#ticks = new Map(nodes.map(({ pid }) => [pid, ticksOf(pid)]));
  }

  /** Lines such as `s3: 5.1 round trips and 0.02 connections a file`; sources and destinations count separately. */
  lines(planned: readonly Planned[]): readonly string[] {
    const servers = outsideServers.flatMap((server) => {
      const [before, now] = [this.#turns.get(server), this.outside.turnsWith(server)];
      const [source, destination] = USERS[server];
      const uses = planned.reduce(
        (sum, { route }) => sum + Number(route.source === source) + Number(route.destination === destination),
        0,
      );
      if (before === undefined || now === undefined || uses === 0) return [];
      const each = (count: number): string => (count / uses).toFixed(2);
      const turns = each(now.turns - before.turns);
      return [`${server}: ${turns} round trips and ${each(now.connections - before.connections)} connections a file`];
    });
    const ticks = this.nodes.reduce((sum, { pid }) => sum + ticksOf(pid) - (this.#ticks.get(pid) ?? 0), 0);
    return [
      ...servers,
      `processor time of the nodes: ${((ticks / TICKS / planned.length) * 1000).toFixed(0)} ms a file`,
    ];
  }
}

/** Processor time of a process and its children that have ended, in clock ticks; 0 when it is gone. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may have blanks; utime, stime, cutime and cstime are fields 14 to 17 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}
