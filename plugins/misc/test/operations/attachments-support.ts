import { readFile } from 'node:fs/promises';
import { callOperation, type FormFile, type OperationAnswer, readZip, serverForTests } from '@quire/plugin-kit';
import { PDFDocument } from 'pdf-lib';

export type Facts = {
  filename: string;
  size: number;
  contentType: string | null;
  description: string | null;
  creationDate: string | null;
  modificationDate: string | null;
};

export const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
export const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A PDF of one page with these attachments, written by another library. */
export async function withFiles(
  files: readonly (readonly [name: string, content: Uint8Array, options?: Parameters<PDFDocument['attach']>[2]])[],
): Promise<FormFile> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]);
  for (const [name, content, options] of files) await document.attach(content, name, options);
  return { name: 'report.pdf', bytes: await document.save({ useObjectStreams: false }) };
}

/** Calls of the attachment operations on a test server; create it inside a describe. */
export function attachmentCalls() {
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });
  const call = (
    tool: string,
    file: FormFile,
    params: Record<string, unknown> = {},
    attachments?: readonly FormFile[],
  ): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: `misc/${tool}`,
      files: [file],
      params,
      ...(attachments === undefined ? {} : { parts: { attachments } }),
    });
  const list = async (file: FormFile | OperationAnswer): Promise<Facts[]> =>
    (await call('list-attachments', { name: 'x.pdf', bytes: file.bytes })).json<Facts[]>();
  const extract = async (file: FormFile | OperationAnswer) =>
    new Map(
      readZip((await call('extract-attachments', { name: 'x.pdf', bytes: file.bytes })).bytes).map(
        ({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')],
      ),
    );
  const problem = (answer: OperationAnswer): unknown[] => [answer.status, answer.code];
  return { server, call, list, extract, problem };
}
