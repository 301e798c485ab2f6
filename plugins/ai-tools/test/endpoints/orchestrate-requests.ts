import { type FormFile } from '@quire/plugin-kit';
import { expect } from 'chai';
import { type ModelReply, says } from '../../../../test/fixtures/model-server.js';
import type { modelHost } from '../model-host.js';

export interface Answer {
  readonly outcome: string;
  readonly answer: string | null;
  readonly reason: string | null;
  readonly question: string | null;
  readonly evidence: readonly { readonly pageNumber: number; readonly text: string; readonly fileName?: string }[];
  readonly steps: readonly { readonly operation: string; readonly parameters: object }[];
  readonly content: string | null;
  readonly filename: string | null;
  readonly tool: string | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly resumeWith: string | null;
  readonly files: readonly object[];
  readonly filesToIngest: readonly { readonly id: string; readonly name: string }[];
  readonly report: unknown;
  readonly maxPages: number | null;
  readonly fileId: string | null;
  readonly fileName: string | null;
  readonly errorCode: string | null;
  readonly resultFiles: readonly {
    readonly fileId: string;
    readonly fileName: string;
    readonly contentType: string;
    readonly sourceIndex: number | null;
  }[];
}

export const api = '/api/v1/';
export const intent = (intentName: string, operations: readonly string[] = [], words = ''): ModelReply =>
  says({ intent: intentName, operations, words });
export const plan = (...steps: readonly (readonly [string, ...(readonly [string, string])[]])[]): ModelReply =>
  says({
    steps: steps.map(([operation, ...parameters]) => ({
      operation: `${api}${operation}`,
      parameters: parameters.map(([name, value]) => ({ name, value })),
    })),
    summary: 'It is done.',
  });
export const answers = (answer: string, ...evidence: readonly (readonly [number, string, number?])[]): ModelReply =>
  says({ found: true, answer, evidence: evidence.map(([page, quote, file = 1]) => ({ file, page, quote })) });

/** Builds the form of a request. */
export function form(
  userMessage: string | undefined,
  files: readonly FormFile[],
  more: Readonly<Record<string, string>> = {},
): FormData {
  const data = new FormData();
  if (userMessage !== undefined) data.append('userMessage', userMessage);
  for (const [name, value] of Object.entries(more)) data.append(name, value);
  files.forEach(({ name, bytes }, i) =>
    data.append(`fileInputs[${i}].fileInput`, new Blob([Uint8Array.from(bytes)]), name),
  );
  return data;
}

/** Sends requests to the server of `host`. */
export function requestsTo(host: ReturnType<typeof modelHost>) {
  const post = (body: FormData, path = 'orchestrate', url = host.url): Promise<Response> =>
    fetch(`${url}${api}ai/${path}`, { method: 'POST', body });
  async function ask(
    userMessage: string,
    files: readonly FormFile[],
    script: readonly [ModelReply, ...ModelReply[]],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    host.model.script(...script);
    const answer = await post(form(userMessage, files, more));
    expect(answer.status, await answer.clone().text()).to.equal(200);
    return (await answer.json()) as Answer;
  }

  return { post, ask };
}
