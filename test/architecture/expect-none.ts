import { expect } from 'chai';

/** Fails with the list, one entry per line. */
export function expectNone(lines: readonly string[]): void {
  if (lines.length > 0) expect.fail(`found ${lines.length}:\n  ${lines.join('\n  ')}`);
}
