import { execFileSync } from 'node:child_process';

/** True if all of these programs are installed. */
export const onPath = (...programs: string[]): boolean =>
  programs.every((program) => {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
