import { type AnyOperation, inputFields, isQuireError, reviveError, serialiseError } from '@quire/registry';
import type { Form } from './read-form.js';

/** Default name of the field that holds the document. */
const INPUT = 'fileInput';

/**
 * Returns the caller's name of the field that holds the document: the name it was sent under, else the name that
 * clients of this address know (`fileAliases`).
 */
export function inputName(operation: Pick<AnyOperation, 'fileAliases'>, form: Form): string {
  const names = inputFields(operation);
  return names.find((name) => (form.files[name] ?? []).length > 0) ?? names[1] ?? INPUT;
}

/** Runs work and renames the document's field in its errors to the name that the caller uses. */
export async function namingInput<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      name === INPUT ||
      !isQuireError(error) ||
      (error.data['field'] !== INPUT && !error.errors.some(({ pointer }) => pointer === `/${INPUT}`))
    )
      throw error;
    const { code, data, errors = [] } = serialiseError(error);
    const renamed = errors.map(({ pointer, detail }) =>
      pointer === `/${INPUT}`
        ? { pointer: `/${name}`, detail: detail.replaceAll(`"${INPUT}"`, `"${name}"`) }
        : { pointer, detail },
    );
    throw reviveError({
      code,
      data: data['field'] === INPUT ? { ...data, field: name } : data,
      ...(renamed.length > 0 ? { errors: renamed } : {}),
    });
  }
}
