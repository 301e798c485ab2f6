import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import { projectFiles, root, withoutComments } from './import-graph.js';

/** The time since a moment stored in a variable; not a moment before now, such as `Date.now() - 20 * DAY`. */
const MEASURE = String.raw`(?:(?:Date|performance)\.now\(\) - [a-z][\w.]*|process\.cpuUsage\(\w)`;
/** Upper bounds, as chai and as an operator express them; both ends of a range too. */
const AT_MOST = String.raw`\.(?:below|lt|lessThan|most|lte|lessThanOrEqual|within|closeTo|approximately)\(|(?<![=])[<>]=? *[\w(]`;

/** Lines that compare elapsed time with an upper bound: directly, or through a constant. */
function upperBounds(text: string): string[] {
  const code = withoutComments(text);
  const names = [...code.matchAll(new RegExp(String.raw`\b(?:const|let) (\w+) = [^;\n]*${MEASURE}`, 'g'))].map(
    ([, name]) => name,
  );
  const measured = [MEASURE, ...names.map((name) => String.raw`(?<![\w.'])${name}\b(?!['(:])`)].join('|');
  const asserted = new RegExp(String.raw`(?:\bexpect\(|\bif \().*(?:${measured}).*(?:${AT_MOST})`);
  return code
    .split('\n')
    .filter((line) => asserted.test(line))
    .map((line) => line.trim());
}

describe('the clock in tests', () => {
  it('is never compared with an upper limit: a busy machine would fail correct code', () => {
    const tests = projectFiles().filter(
      (path) => path.endsWith('.test.ts') && path !== 'test/architecture/clock.test.ts',
    );
    expectNone(
      tests.flatMap((path) => upperBounds(readFileSync(join(root, path), 'utf8')).map((line) => `${path}: ${line}`)),
    );
  });

  it('is recognised in every form with an upper limit, and not where it has only a lower one', () => {
    for (const text of [
      'expect(Date.now() - started).to.be.below(1000);',
      "expect(performance.now() - begun, 'ms').to.be.lessThan(10_000);",
      'expect(Date.now() - began).to.be.within(950, 1700);',
      'expect(process.cpuUsage(started).user / 1000).to.be.below(5);',
      "expect([await work, Date.now() - began < 1000]).to.deep.equal(['CANCELLED', true]);",
      'if (Date.now() - begun > 30_000) slow.push(file);',
      'const took = Date.now() - began;\nexpect(took).to.be.at.most(5);',
      'const { user } = process.cpuUsage(started);\nexpect(process.cpuUsage(before).user).to.be.below(6);',
    ])
      expect(upperBounds(text), text).to.have.length(1);
    for (const text of [
      'expect(Date.now() - started).to.be.at.least(900);',
      'expect(performance.now() - begun).to.be.greaterThan(900);',
      'expect(at).to.be.within(Date.now() - HOUR, Date.now());',
      'expect(validate({ at: new Date(Date.now() - 15 * DAY) })).to.include({ count: 1 });',
      'while (Date.now() - began < 6000) await look();',
      '// expect(Date.now() - started).to.be.below(1000);',
    ])
      expect(upperBounds(text), text).to.deep.equal([]);
  });
});
