import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyOperation, Example, Plugin } from '@quire/registry';

/** The parts of a plugin's package.json that the kit reads. */
export interface PackageJson {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly quire?: { readonly kind?: unknown; readonly api?: unknown; readonly prefixes?: unknown };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The context of a test body; mocha's context fits. */
export interface TestContext {
  skip?: () => void;
}
export type TestBody = (this: TestContext) => void | Promise<void>;

/** The runner's functions; mocha's globals fit. */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, body: TestBody) => unknown;
  readonly before: (body: TestBody) => unknown;
  readonly after: (body: TestBody) => unknown;
}

/** The plugin under test and its package. */
export class Subject {
  readonly root: string;
  readonly packageJson: PackageJson;

  constructor(
    readonly plugin: Plugin,
    packageRoot: URL | string,
    /** What repeats the same over many values is done with some of them, in turn. */
    readonly isSample = false,
  ) {
    this.root = typeof packageRoot === 'string' ? packageRoot : fileURLToPath(packageRoot);
    this.packageJson = JSON.parse(readFileSync(join(this.root, 'package.json'), 'utf8')) as PackageJson;
  }

  get operations(): readonly AnyOperation[] {
    return Array.isArray(this.plugin.operations) ? this.plugin.operations : [];
  }

  /** All values; for a sample as many as `count`, beginning with another one for each `turn` (0, 1, …). */
  some<T>(values: readonly T[], count: number, turn: number): readonly T[] {
    if (!this.isSample || values.length <= count) return values;
    const start = turn * count;
    return values.filter((_value, i) => (i - (start % values.length) + values.length) % values.length < count);
  }

  /** Absolute path of the module that a host imports. */
  get entry(): string {
    return join(this.root, entryOf(this.packageJson));
  }

  /** A file of the plugin's `fixtures/`. */
  fixture(name: string): Uint8Array {
    const path = join(this.root, 'fixtures', name);
    if (!existsSync(path)) throw new Error(`The example uses fixtures/${name}, which does not exist`);
    return new Uint8Array(readFileSync(path));
  }
}

/** The module behind the package's main entry, relative to the package. */
export function entryOf({ exports, main }: PackageJson): string {
  const target = (value: unknown): string | undefined => {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return undefined;
    const conditions = value as Record<string, unknown>;
    return target(conditions['.'] ?? conditions['import'] ?? conditions['node'] ?? conditions['default']);
  };
  return target(exports) ?? main ?? 'index.js';
}

/** An example with a title that names its operation. */
export interface Case {
  readonly operation: AnyOperation;
  readonly example: Example<unknown>;
  readonly title: string;
}

/** Every example of every operation. The title names a missing program, to explain why a test is skipped. */
export function casesOf(subject: Subject): Case[] {
  return subject.operations.flatMap((operation) =>
    operation.examples.map((example) => ({
      operation,
      example: example as Example<unknown>,
      title: `${operation.path}: ${example.title}${programNote(operation)}`,
    })),
  );
}

/** ` (needs soffice)`, or nothing. */
export function programNote(operation: AnyOperation): string {
  const programs = operation.needs?.programs ?? [];
  return programs.length === 0 ? '' : ` (needs ${programs.join(', ')})`;
}
