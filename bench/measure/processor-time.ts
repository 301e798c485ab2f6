import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick of the kernel's counters; sysconf(_SC_CLK_TCK) is 100 on every Linux of today. */
const TICK_MS = 10;

interface Counted {
  readonly parent: number;
  readonly ms: number;
}

/**
 * Processor time of a process and its descendants so far, user and system, with those that have ended, in milliseconds
 * (proc(5), stat: ppid is field 4, utime, stime, cutime and cstime are fields 14 to 17).
 */
export function processorTime(root: number): number {
  const all = new Map<number, Counted>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? counted(name) : undefined;
    if (found !== undefined) all.set(Number(name), found);
  }
  const sum = (pid: number): number =>
    [...all].reduce((ms, [child, { parent }]) => (parent === pid ? ms + sum(child) : ms), all.get(pid)?.ms ?? 0);
  return sum(root);
}

function counted(pid: string): Counted | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may have blanks.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, ms: fields.slice(11, 15).reduce((ticks, field) => ticks + field, 0) * TICK_MS };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** Processor time of this process so far, in milliseconds. */
export function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
