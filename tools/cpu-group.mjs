// Counts the CPU time of a process and of everything that it starts, with a control group of Linux: the times of
// processes that outlive their parents (renderers of Chromium, confined programs) reach no parent.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mount points, and the file that counts, of versions 1 and 2 of control groups (cgroups(7)). */
const VERSIONS = [
  { controller: 'cpuacct', mount: '/sys/fs/cgroup/cpuacct', counter: 'cpuacct.usage' },
  { controller: '', mount: '/sys/fs/cgroup', counter: 'cpu.stat' },
];

/**
 * Creates a group; undefined where this process may not. `counter` is the file that counts, and `remove` leaves a
 * group in which something still runs.
 */
export function createCpuGroup(name) {
  for (const { controller, mount, counter } of VERSIONS) {
    const own = ownGroup(controller);
    const folder = join(mount, own ?? '', name);
    try {
      if (own === undefined) continue;
      mkdirSync(folder);
      const path = join(folder, counter);
      if (existsSync(path))
        return {
          counter: path,
          add: (pid) => ignoreErrors(() => writeFileSync(join(folder, 'cgroup.procs'), String(pid))),
          remove: () => ignoreErrors(() => rmdirSync(folder)),
        };
      rmdirSync(folder);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** The group of this process under a controller, '' for version 2. */
function ownGroup(controller) {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
    const rows = lines.map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? []);
    return rows.find(([, controllers]) => controllers?.split(',').includes(controller))?.[2];
  } catch {
    return undefined;
  }
}

function ignoreErrors(act) {
  try {
    act();
  } catch {
    // Only the numbers are missing.
  }
}
