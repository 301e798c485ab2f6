import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the command lines of the running processes whose home is in a folder, by process id: external programs, and
 * the programs that confine them.
 */
export function programsIn(folder: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const home = /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${name}/environ`, 'utf8'))?.[1] ?? '';
      // A process that has ended but was not waited for is no longer running.
      const ended = /^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, 'utf8'));
      if (home.startsWith(`${folder}/`) && !ended)
        found.set(Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim());
    } catch {
      // It belongs to somebody else, or has ended meanwhile.
    }
  }
  return found;
}
