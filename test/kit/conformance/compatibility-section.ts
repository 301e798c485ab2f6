import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { type PluginShape, describePluginShape, narrowings } from '../operation-shape.js';
import type { Subject, TestRunner } from './subject.js';

/** Tests the schemas against the last published ones: narrowing them requires a new major version. */
export function compatibilitySection(subject: Subject, { it }: TestRunner): void {
  it('keeps its published contract, or raises its major version', () => {
    const published = readShape(subject.root);
    const version = subject.packageJson.version ?? '0.0.0';
    if (published === undefined) {
      // Before the first release there is no contract; from 1.0.0 on it must be on record.
      expect(semver.major(version), 'operations.json is missing; write it with: npm run docs').to.equal(0);
      return;
    }
    const problems = narrowings(published, describePluginShape(subject.plugin, version));
    if (problems.length > 0 && !raisesMajor(published.version, version)) {
      expect.fail(`${version} narrows the contract of ${published.version}:\n  ${problems.join('\n  ')}`);
    }
  });
}

/** Reads the plugin's published contract; undefined when there is none. */
export function readShape(root: string): PluginShape | undefined {
  const path = join(root, 'operations.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PluginShape) : undefined;
}

/**
 * Returns whether the second version may break the contract of the first one (semver 2.0.0, items 4 and 8: below 1.0.0
 * the minor number counts).
 */
export function raisesMajor(before: string, now: string): boolean {
  if (semver.major(now) !== semver.major(before)) return semver.gt(now, before);
  return semver.major(before) === 0 && semver.minor(now) > semver.minor(before);
}
