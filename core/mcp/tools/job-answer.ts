import { OperationalError, reviveError } from '@quire/registry';
import { nothingText, type JobRecord } from '../../jobs/index.js';
import type { Links } from '../files/links.js';
import { documentText, quoted, visible } from './plain-text.js';
import type { ToolAnswer, ToolContent } from './tool.js';

export interface JobAnswerDeps {
  readonly links: Links;
  /** Largest JSON result inside an answer, in bytes. */
  readonly maxInlineBytes: number;
}

/**
 * Returns the state of a job, and once it has succeeded its result: ids and links of files, never their content. A JSON
 * result that is too large for an answer is a link. Throws the failure of a job that failed.
 */
export function jobAnswer(deps: JobAnswerDeps, record: JobRecord, base: string): ToolAnswer {
  if (!record.complete) return runningAnswer(record);
  if (record.status !== 'succeeded')
    throw record.failure === null ? new OperationalError('CANCELLED') : reviveError(record.failure);
  const files = record.allResultFiles.map(({ fileId, fileName, contentType, fileSize }) => ({
    fileId,
    name: visible(fileName),
    mediaType: contentType,
    size: fileSize,
    link: linkTo(deps, 'file', fileId, record, base),
    expiresAt: record.expiresAt,
  }));
  const { warnings = [], report = {} } = record.facts ?? {};
  const result = files.length > 0 || record.result === nothingText ? undefined : resultOf(deps, record, base);
  return {
    content: [
      { type: 'text', text: summary(record, files, warnings) },
      ...(result === undefined ? [] : [result.content]),
    ],
    structuredContent: {
      jobId: record.jobId,
      status: record.status,
      files,
      ...result?.members,
      ...(Object.keys(report).length === 0 ? {} : { report }),
      ...(warnings.length === 0 ? {} : { warnings: warnings.map(visible) }),
    },
  };
}

function runningAnswer({ jobId, status, progress }: JobRecord): ToolAnswer {
  return {
    content: [
      { type: 'text', text: `The work is ${status} (${progress} %). Call get_job with jobId ${jobId} for its result.` },
    ],
    structuredContent: { jobId, status, progress },
  };
}

function summary(
  { expiresAt }: JobRecord,
  files: readonly { readonly name: string; readonly fileId: string; readonly size: number; readonly link: string }[],
  warnings: readonly string[],
): string {
  const lines = files.map(
    ({ name, fileId, size, link }) => `- ${quoted(name)}, ${size} bytes, fileId ${fileId}, link ${link}`,
  );
  return [
    files.length === 0
      ? 'Done, without a file.'
      : `Done: ${files.length} ${files.length === 1 ? 'file' : 'files'}, kept until ${expiresAt ?? 'the next clean-up'}:`,
    ...lines,
    ...warnings.map((warning) => `Warning: ${visible(warning).replace(/\s+/g, ' ')}`),
  ].join('\n');
}

function resultOf(
  deps: JobAnswerDeps,
  record: JobRecord,
  base: string,
): { readonly content: ToolContent; readonly members: Readonly<Record<string, unknown>> } {
  const text = JSON.stringify(record.result);
  const bytes = Buffer.byteLength(text);
  if (bytes <= deps.maxInlineBytes)
    return {
      content: { type: 'text', text: documentText('The result as JSON', text) },
      members: { result: record.result },
    };
  const link = linkTo(deps, 'answer', record.jobId, record, base);
  return {
    content: {
      type: 'text',
      text: `The result is JSON of ${bytes} bytes, more than an answer may contain (${deps.maxInlineBytes}): ${link}`,
    },
    members: { resultBytes: bytes, link, expiresAt: record.expiresAt },
  };
}

function linkTo(
  { links }: JobAnswerDeps,
  kind: 'file' | 'answer',
  id: string,
  { expiresAtMs }: JobRecord,
  base: string,
): string {
  return `${base}/mcp/results/${links.tokenOf({ kind, id, expiresAtMs: expiresAtMs ?? 0 })}`;
}
