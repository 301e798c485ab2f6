import type { VerifiedNode } from './model.js';

/** Most results that branches may make of one file before a step joins them: ten steps of two make 1024. */
const MOST_RESULTS = 100;

/**
 * Reports steps with branches after which there would be too many results of each file. Returns how many there are of
 * one, where there were `before`; what operations themselves do, such as splitting, is not counted.
 */
export function findMultiplied(
  nodes: readonly VerifiedNode[],
  report: (pointer: string, detail: string) => void,
  before = 1,
): number {
  let results = before;
  for (const node of nodes) {
    results = after(node, results, report);
    if (results <= MOST_RESULTS) continue;
    report(node.at, `makes ${results} results of each file; at most ${MOST_RESULTS} are allowed, so merge them before`);
    results = 1;
  }
  return results;
}

function after(node: VerifiedNode, before: number, report: (pointer: string, detail: string) => void): number {
  switch (node.type) {
    case 'step':
      return node.step.entry.operation.files === 'all' ? 1 : before;
    case 'if':
      return Math.max(findMultiplied(node.then, report, before), findMultiplied(node.else, report, before));
    case 'parallel':
      return node.branches.reduce((sum, branch) => sum + findMultiplied(branch, report, before), 0);
    case 'each':
      return before * findMultiplied(node.steps, report);
    case 'saved':
      return findMultiplied(node.steps, report, before);
  }
}
