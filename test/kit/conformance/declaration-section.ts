import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import Joi from 'joi';
import { presentationFaults, showFields, verifyPlugin } from '@quire/catalog';
import type { AnyOperation } from '@quire/registry';
import type { Subject, TestRunner } from './subject.js';
import { templateFaults } from './templates.js';
import { translationFaults } from './translations.js';

/**
 * File and export for a path: `convert/pdf/word` is `pdf-word.op.ts` with `pdfWord`. The category is omitted;
 * `ai/tools` is one category (spec 4.2).
 */
export function namesOf(path: string): { readonly file: string; readonly exportName: string } {
  const file = path
    .replace(/^ai\/tools\//, 'ai/')
    .split('/')
    .slice(1)
    .join('-');
  return { file, exportName: file.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) };
}

function prefixesOf({ packageJson }: Subject): readonly string[] {
  const prefixes = packageJson.quire?.prefixes;
  return Array.isArray(prefixes) ? prefixes.map(String) : [];
}

/** Tests the declarations: with the server's own check, and beyond it. */
export function declarationSection(subject: Subject, { it }: TestRunner): void {
  it("passes the server's own check", () => {
    const { faults } = verifyPlugin(subject.plugin, prefixesOf(subject), Joi);
    expect(faults, faults.join('\n')).to.deep.equal([]);
  });

  it('has pipeline templates whose operations accept them', () => {
    const faults = templateFaults(subject.plugin, prefixesOf(subject));
    expect(faults, faults.join('\n')).to.deep.equal([]);
  });

  it('has translations only of texts that people see', () => {
    const faults = translationFaults(subject.root, subject.plugin);
    expect(faults, faults.join('\n')).to.deep.equal([]);
  });

  it('has at least one operation or endpoint', () => {
    expect(subject.operations.length + subject.plugin.endpoints.length).to.be.greaterThan(0);
  });

  for (const operation of subject.operations) {
    it(`${operation.path} is in the file with its name`, async () => {
      await checkFile(subject, operation);
    });

    it(`${operation.path} declares conditions on the object, where the documentation can show them`, () => {
      expect(conditionallyRequired(operation), 'fields that are required by a condition on themselves').to.deep.equal(
        [],
      );
    });

    it(`${operation.path} can be shown to people, with every field`, () => {
      const faults = presentationFaults(operation, operation.params(Joi) as Joi.ObjectSchema);
      expect(faults, faults.join('\n')).to.deep.equal([]);
    });

    it(`${operation.path} has the modules of its custom elements`, () => {
      const elements = showFields(operation, operation.params(Joi) as Joi.ObjectSchema).flatMap(
        ({ element }) => element ?? [],
      );
      const missing = elements.filter((name) => !existsSync(join(subject.root, 'elements', `${name}.js`)));
      expect(
        missing.map((name) => `elements/${name}.js`),
        'missing',
      ).to.deep.equal([]);
    });

    it(`${operation.path} has a working example, with existing files`, () => {
      expect(
        operation.examples.some((example) => example.expect.refused === undefined),
        'an example that is not refused',
      ).to.equal(true);
      const names = operation.examples.flatMap((example) => [...example.files, ...Object.values(example.parts ?? {})]);
      expect(
        names.filter((name) => !existsSync(join(subject.root, 'fixtures', name))),
        'missing in fixtures/',
      ).to.deep.equal([]);
      for (const example of operation.examples)
        expect(Object.keys(example.expect), `expect of "${example.title}"`).not.to.have.length(0);
    });
  }
}

/** Possible locations of an operation's file in a package: its folder `operations`, or a subfolder of it. */
export function filesOfOperation(packageRoot: string, file: string): string[] {
  return ['dist/operations', 'src/operations', 'operations']
    .filter((folder) => existsSync(join(packageRoot, folder)))
    .flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => [`${file}.op.js`, `${file}.op.ts`].includes(basename(path)))
        .map((path) => `${folder}/${path}`),
    );
}

async function checkFile(subject: Subject, operation: AnyOperation): Promise<void> {
  const { file, exportName } = namesOf(operation.path);
  const found = filesOfOperation(subject.root, file);
  expect(found, `operations/${file}.op.ts`).not.to.have.length(0);
  const compiled = found.find((place) => place.endsWith('.js'));
  expect(compiled, `compiled operations/${file}.op.js (build the package first)`).not.to.equal(undefined);
  const module = (await import(pathToFileURL(join(subject.root, compiled ?? '')).href)) as Record<
    string,
    { path?: unknown } | undefined
  >;
  expect(Object.keys(module), `exports of ${file}.op`).to.include(exportName);
  expect(module[exportName]?.path, `path of ${exportName}`).to.equal(operation.path);
}

interface Described {
  readonly keys?: Readonly<Record<string, { readonly whens?: readonly Condition[] }>>;
}

interface Condition {
  readonly then?: { readonly flags?: { readonly presence?: string } };
  readonly otherwise?: { readonly flags?: { readonly presence?: string } };
}

/**
 * Fields that are required by a condition on themselves: the published documentation would show them as always
 * required.
 */
function conditionallyRequired(operation: AnyOperation): string[] {
  const { keys = {} } = operation.params(Joi).describe() as Described;
  return Object.entries(keys)
    .filter(([, { whens = [] }]) =>
      whens.some(
        ({ then, otherwise }) => then?.flags?.presence === 'required' || otherwise?.flags?.presence === 'required',
      ),
    )
    .map(([name]) => name);
}
