import { readFile } from 'node:fs/promises';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';

export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Calls an operation of this plugin, by default with a letter. */
type Call = (operation: string, params: Record<string, unknown>, file?: InputFile) => Promise<OperationAnswer>;

/** Starts a server for the tests of a suite, and returns how to call it. */
export function useRedaction(): Call {
  const server = serverForTests({ plugins: ['@quire/plugin-security'] });
  const letter = async (): Promise<InputFile> => ({
    name: 'letter.pdf',
    bytes: new Uint8Array(await readFile(new URL('../../fixtures/letter.pdf', import.meta.url))),
  });
  return async (operation, params, file) =>
    callOperation(server.url, { path: `security/${operation}`, files: [file ?? (await letter())], params });
}

/** Status, code, and the fields that a refusal names. */
export const faults = (answer: OperationAnswer): [number, string | undefined, string[]] => [
  answer.status,
  answer.code,
  (answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer),
];

export const detailOf = (answer: OperationAnswer): string => answer.json<{ detail: string }>().detail;

export const reportOf = (answer: OperationAnswer): unknown => JSON.parse(String(answer.headers.get('x-tool-report')));
