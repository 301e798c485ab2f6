import { isRecord } from '../../../viewers/index.ts';

export const API = '/api/v1/';

/** A step as the interface's JSON has it; other members are kept. */
export type StepJson = Readonly<Record<string, unknown>>;

/** A pipeline as the interface's JSON has it, also for watched folders; other members are kept. */
export interface PipelineJson extends Readonly<Record<string, unknown>> {
  readonly name?: unknown;
  readonly pipeline: readonly StepJson[];
}

/** Reads a pipeline from text: an object with `pipeline`, or the list of its steps alone. Throws an `Error`. */
export function parsePipeline(text: string, words: { readonly noList: string; readonly noStep: string }): PipelineJson {
  const value: unknown = JSON.parse(text);
  const found = Array.isArray(value) ? { pipeline: value as unknown[] } : value;
  if (!isRecord(found) || !Array.isArray(found['pipeline'])) throw new Error(words.noList);
  if (!(found['pipeline'] as unknown[]).every(isRecord)) throw new Error(words.noStep);
  return found as unknown as PipelineJson;
}

/** The text of a pipeline, as files and calls contain it. */
export function textOf(pipeline: PipelineJson): string {
  return `${JSON.stringify(pipeline, undefined, 2)}\n`;
}

/** A file name made of a title. */
export function fileNameFor(title: string): string {
  const plain = title
    .trim()
    .replaceAll(/[\p{Cc}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, '-');
  return `${plain === '' ? 'pipeline' : plain}.json`;
}
