import type { Plugin } from '@quire/registry';
import { abortSection } from './conformance/abort-section.js';
import { verifyCompiled } from './conformance/compiled.js';
import { compatibilitySection } from './conformance/compatibility-section.js';
import { declarationSection } from './conformance/declaration-section.js';
import { derivationSection } from './conformance/derivation-section.js';
import { lazyHost, type HostSettings } from './conformance/host.js';
import { importSection } from './conformance/import-section.js';
import { packageSection } from './conformance/package-section.js';
import { parameterSection } from './conformance/parameter-section.js';
import { refusalSection } from './conformance/refusal-section.js';
import { directRunSection, runSection } from './conformance/run-section.js';
import { Subject, type TestRunner } from './conformance/subject.js';
import { writingSection } from './conformance/writing-section.js';

/** The parts of the conformance suite, in order. */
export const sections = [
  'Package',
  'Declaration',
  'Import',
  'Purity',
  'Writing',
  'Compatibility',
  'Derivation',
  'Run',
  'Refusal',
  'Parameters',
  'Abort',
] as const;
/** One part of the conformance suite. */
export type Section = (typeof sections)[number];

export interface DescribePluginOptions extends Partial<TestRunner> {
  /** The folder of the plugin's package.json. */
  readonly packageRoot: URL | string;
  /** Only these parts; default all. */
  readonly only?: readonly Section[];
  /**
   * `sample` sends each operation some of the hostile files and wrong values, another few to each, and an example twice
   * only where it is the only one, and neither packs the package nor makes its API document: enough while you work.
   * Default `all`, unless the environment variable QUIRE_KIT_EXTENT is `sample`.
   */
  readonly extent?: 'all' | 'sample';
  /**
   * Settings of the server that runs the examples, as an operator would write them; for example the address of a
   * service that the test started.
   */
  readonly settings?: HostSettings;
  /** Called once with the address of the started server, to prepare what the examples need. */
  readonly prepare?: (url: string) => Promise<void>;
}

/**
 * Declares the conformance suite for a plugin. It uses the runner's global describe, it, before and after unless others
 * are given, and tests the package as it would be installed, with the production loader, runner and server. All tests
 * fail if the compiled package is older than its sources.
 */
export function describePlugin(plugin: Plugin, options: DescribePluginOptions): void {
  const runner: TestRunner = {
    describe: options.describe ?? describe,
    it: options.it ?? it,
    before: options.before ?? before,
    after: options.after ?? after,
  };
  const extent = options.extent ?? process.env['QUIRE_KIT_EXTENT'];
  const subject = new Subject(plugin, options.packageRoot, extent === 'sample');
  const host = lazyHost(subject, options.settings, options.prepare);
  const bodies: Record<Section, () => void> = {
    Package: () => packageSection(subject, runner),
    Declaration: () => declarationSection(subject, runner),
    Import: () => importSection(subject, runner),
    Purity: () => directRunSection(subject, runner),
    Writing: () => writingSection(subject, runner),
    Compatibility: () => compatibilitySection(subject, runner),
    Derivation: () => derivationSection(subject, runner, host.get),
    Run: () => runSection(subject, runner, host.get),
    Refusal: () => refusalSection(subject, runner, host.get),
    Parameters: () => parameterSection(subject, runner, host.get),
    Abort: () => abortSection(subject, runner, host.get),
  };
  runner.describe(`conformance of ${subject.packageJson.name ?? subject.root}`, () => {
    runner.before(() => verifyCompiled(subject.root, subject.packageJson));
    runner.after(() => host.stop());
    for (const section of options.only ?? sections) runner.describe(section, bodies[section]);
  });
}
