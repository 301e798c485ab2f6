import { expect } from 'chai';

/** Fails with every line of the list, one below the other. */
export function expectNone(lines: readonly string[]): void {
  if (lines.length > 0) expect.fail(`found ${lines.length}:\n  ${lines.join('\n  ')}`);
}
