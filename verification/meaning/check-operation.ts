import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { type AnyOperation, isQuireError, tokens, writingWith } from '@quire/registry';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { openPdf } from '../../document/file/open/index.js';
import { pictureHashes } from '../../document/test/checks/pictures.js';
import { type Portrait, portraitOf } from '../../document/test/checks/portrait.js';
import { lostMeaning } from './compare-meaning.js';
import type { Expectation } from './expectations.js';
import { scriptedModel } from './scripted-model.js';

/** A document with its features before any operation. */
export interface Sitter {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly portrait: Portrait;
}

/** Reads a document; rejects when it cannot be opened. */
export async function sitterOf(file: string, path: string): Promise<Sitter> {
  const bytes = new Uint8Array(readFileSync(path));
  return { file, bytes, portrait: await paint(bytes) };
}

/**
 * Runs an operation on a document, in append mode where allowed, and returns what was lost; errors with a code are
 * returned as such.
 */
export async function checkOperation(
  operation: AnyOperation,
  fixtures: string,
  expectation: Expectation,
  { file, bytes, portrait }: Sitter,
): Promise<{ readonly faults: readonly string[]; readonly refused?: string; readonly output?: Uint8Array }> {
  const params = { ...expectation.params, ...expectation.paramsFor?.(portrait.pages) };
  const { error, value } = operation.params(Joi).validate(params, { stripUnknown: true }) as {
    error?: Error;
    value: Record<string, unknown>;
  };
  if (error !== undefined) throw new Error(`${operation.path}: ${error.message}`);
  const part = (name: string): ReturnType<typeof fakeFile> =>
    fakeFile(name, new Uint8Array(readFileSync(join(fixtures, name))));
  const parts = Object.fromEntries(Object.entries(expectation.parts ?? {}).map(([field, name]) => [field, part(name)]));
  const context = await fakeContext({
    parts,
    services: [[tokens.languageModel, scriptedModel]],
    writing: writingWith(operation, value).writes === 'append' ? 'append' : 'rewrite',
  });
  try {
    const input = fakeFile(file.split('/').at(-1) ?? file, bytes);
    const result =
      operation.files === 'all'
        ? await operation.run([input], value, context)
        : await operation.run(input, value, context);
    if ('json' in result || result.length !== 1 || result[0] === undefined)
      return { faults: ['did not return one file'] };
    const output = await context.read(result[0]);
    const after = await paint(output);
    const faults = lostMeaning(portrait, after, expectation);
    if (expectation.looks === 'same' && !(await looksSame(bytes, output, after.pages)))
      faults.push('looks: pages render differently');
    return { faults, output };
  } catch (error) {
    if (isQuireError(error)) return { faults: [], refused: error.code };
    throw error;
  } finally {
    await context.cleanup();
  }
}

async function paint(bytes: Uint8Array): Promise<Portrait> {
  const { document, pages } = await openPdf(bytes);
  return portraitOf(document.context, pages);
}

async function looksSame(before: Uint8Array, after: Uint8Array, pages: number): Promise<boolean> {
  const [a, b] = [
    await pictureHashes(before, pages).catch(() => undefined),
    await pictureHashes(after, pages).catch(() => undefined),
  ];
  // Pages that PDFium cannot draw are not compared.
  return a === undefined || a.join() === b?.join();
}
