import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { type AnyOperation, isQuireError } from '@quire/registry';
import Joi from 'joi';

/** The result of a run. */
export interface Ran {
  readonly names: readonly string[];
  readonly files: readonly Buffer[];
  readonly report: Readonly<Record<string, unknown>>;
  readonly progressed: readonly (readonly [number, number])[];
  /** The code of the error. */
  readonly code?: string;
}

/**
 * Runs an operation with one file as the server does: validates parameters with its schema first. Rethrows errors
 * without a code.
 */
export async function runOperation(
  operation: AnyOperation,
  [name, bytes]: readonly [string, Uint8Array],
  params: Record<string, unknown> = {},
  { signal, settings }: { signal?: AbortSignal; settings?: Record<string, unknown> } = {},
): Promise<Ran> {
  const context = await fakeContext({
    ...(signal === undefined ? {} : { signal }),
    ...(settings === undefined ? {} : { settings }),
  });
  const nothing = { names: [], files: [], report: {}, progressed: [] };
  try {
    if (operation.files !== 'each') throw new TypeError('one file at a time');
    const { value, error } = operation.params(Joi as never).validate(params) as unknown as {
      value: never;
      error?: Joi.ValidationError;
    };
    if (error !== undefined) return { ...nothing, code: 'INPUT_INVALID' };
    const outputs = await operation.run(fakeFile(name, bytes), value, context);
    if ('json' in outputs) throw new TypeError('it gives files');
    const files = await Promise.all(outputs.map(async (output) => Buffer.from(await context.read(output))));
    return {
      names: outputs.map((output) => output.name),
      files,
      report: context.reports,
      progressed: context.progressed,
    };
  } catch (error) {
    if (isQuireError(error)) return { ...nothing, code: error.code };
    throw error;
  } finally {
    await context.cleanup();
  }
}
