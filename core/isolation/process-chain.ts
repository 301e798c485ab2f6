import { childrenOf } from '../semaphore/index.js';

/**
 * Returns the process at the end of a chain of processes that each started one, such as the programs that confine
 * another one; at most `deepest` below the first.
 */
export function innermost(pid: number, deepest = Infinity): number {
  const [child] = deepest === 0 ? [] : childrenOf(pid);
  return child === undefined ? pid : innermost(child, deepest - 1);
}
