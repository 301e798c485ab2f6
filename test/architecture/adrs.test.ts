import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import { root } from './import-graph.js';

const folder = join(root, 'docs/internals/adr');
const decisions = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const STATUS = /^# (.+)\n\nDate: (\d{4}-\d{2}-\d{2}) · Status: (?:accepted|superseded by \[[^\]]+\]\(([^)]+)\))\n/;

describe('the architecture decisions', () => {
  it('have a number of their own in the file name', () => {
    expectNone(decisions.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name)));
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).to.equal(numbers.length);
  });

  it('begin with a title, the date and the status', () => {
    expectNone(decisions.filter((name) => !STATUS.test(read(name))));
  });

  it('are all in the index, with title and date', () => {
    const index = read('README.md');
    expectNone(
      decisions.filter((name) => {
        const [, title, date] = STATUS.exec(read(name)) ?? [];
        return !index.includes(`| ${name.slice(0, 4)} | [${title}](${name}) | ${date} |`);
      }),
    );
    expectNone(
      [...index.matchAll(/\]\((\d{4}[^)]+)\)/g)].map(([, name]) => name!).filter((name) => !decisions.includes(name)),
    );
  });

  it('that are superseded link to the decision that replaces them', () => {
    expectNone(
      decisions.filter((name) => {
        const next = STATUS.exec(read(name))?.[3];
        return next !== undefined && !decisions.includes(next);
      }),
    );
  });
});
