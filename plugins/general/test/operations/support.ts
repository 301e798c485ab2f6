import { readFile } from 'node:fs/promises';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { type AnyOperation, isQuireError, type JsonResult, type OutputFile } from '@quire/registry';
import Joi from 'joi';
import plugin from '../../src/index.js';

export type TestFile = Awaited<ReturnType<typeof fakeFile>>;

/** A file of the plugin's fixtures. */
export async function fixture(name: string): Promise<TestFile> {
  return fakeFile(name, await readFile(new URL(`../../fixtures/${name}`, import.meta.url)));
}

export function operation(path: string): AnyOperation {
  const found = plugin.operations.find((one) => one.path === path);
  if (found === undefined) throw new Error(`no operation ${path}`);
  return found;
}

/** The result of a call: its outputs, its JSON result, or the error. */
export interface Called {
  readonly outputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly json?: unknown;
  readonly code?: string;
  /** Names of the invalid fields. */
  readonly fields: readonly string[];
  readonly detail?: string;
  readonly warnings?: readonly string[];
}

/**
 * Runs an operation as the server does: validates parameters with its schema first. `parts` are second files by field.
 */
export async function run(
  path: string,
  files: readonly TestFile[],
  params: Record<string, unknown>,
  parts: Readonly<Record<string, readonly TestFile[]>> = {},
): Promise<Called> {
  const ctx = await fakeContext({ parts });
  try {
    const one = operation(path);
    const { value, error } = one.params(Joi as never).validate(params, { abortEarly: false }) as unknown as {
      value: never;
      error?: Joi.ValidationError;
    };
    if (error !== undefined)
      return {
        outputs: [],
        code: 'INPUT_INVALID',
        fields: error.details.map((fault) => fault.path.join('/')),
        detail: error.message,
      };
    const result = one.files === 'all' ? await one.run(files, value, ctx) : await one.run(files[0]!, value, ctx);
    if ('json' in result) return { outputs: [], json: (result as JsonResult).json, fields: [] };
    const outputs = result as readonly OutputFile[];
    return {
      outputs: await Promise.all(outputs.map(async (output) => ({ name: output.name, bytes: await ctx.read(output) }))),
      fields: [],
      warnings: ctx.warnings,
    };
  } catch (error) {
    if (isQuireError(error))
      return {
        outputs: [],
        code: error.code,
        fields: error.errors.map(({ pointer }) => pointer.slice(1)),
        detail: error.message,
      };
    throw error;
  } finally {
    await ctx.cleanup();
  }
}

/** The bytes of each output, or the code of the error. */
export async function call(
  path: string,
  files: readonly TestFile[],
  params: Record<string, unknown>,
): Promise<Uint8Array[] | string> {
  const { outputs, code } = await run(path, files, params);
  return code ?? outputs.map(({ bytes }) => bytes);
}
