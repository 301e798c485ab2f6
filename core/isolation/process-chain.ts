import type { ChildProcess } from 'node:child_process';
import { childrenOf } from '../semaphore/index.js';

/**
 * Returns the process at the end of a chain of processes that each started one, such as the programs that confine
 * another one; at most `deepest` below the first.
 */
export function innermost(pid: number, deepest = Infinity): number {
  const [child] = deepest === 0 ? [] : childrenOf(pid);
  return child === undefined ? pid : innermost(child, deepest - 1);
}

/**
 * Ends the process at the end of the chain at once. Programs around it end after it, so that their end shows that it
 * has stopped.
 */
export function killInnermost(child: ChildProcess, pid = innermost(child.pid ?? 0)): void {
  // Of a child that could not be started no number is known, and 0 would mean the server's own group (kill(2)).
  if (child.pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
