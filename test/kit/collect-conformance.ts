import type { Plugin } from '@quire/registry';
import { type Section, describePlugin } from './describe-plugin.js';
import type { TestBody } from './conformance/subject.js';

/** Runs the conformance suite without a test runner and returns one line per failed test. */
export async function collectConformance(
  plugin: Plugin,
  packageRoot: string,
  only?: readonly Section[],
): Promise<string[]> {
  const tests: { title: string; body: TestBody }[] = [];
  const last: TestBody[] = [];
  const path: string[] = [];
  describePlugin(plugin, {
    packageRoot,
    extent: 'all',
    ...(only === undefined ? {} : { only }),
    describe(title, body) {
      path.push(title);
      body();
      path.pop();
    },
    it: (title, body) => tests.push({ title: [...path.slice(1), title].join(': '), body }),
    before: (body) => tests.unshift({ title: 'before', body }),
    after: (body) => last.push(body),
  });
  const faults: string[] = [];
  try {
    for (const { title, body } of tests) {
      try {
        await body.call({});
      } catch (error) {
        faults.push(`${title}: ${String((error as Error)?.stack ?? error)}`);
      }
    }
  } finally {
    for (const body of last) await body.call({});
  }
  return faults;
}
