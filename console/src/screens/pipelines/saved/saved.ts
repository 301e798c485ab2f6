import type { ShownField, ShownOperation } from '@quire/registry';
import { callJson, type FieldFault } from '../../../api/index.ts';
import type { PipelineJson } from '../model/definition.ts';
import { t } from '../texts.ts';

/** An input of a saved pipeline: with `field` a parameter of a step, else a placeholder in texts. */
export interface SavedInput {
  readonly name: string;
  readonly field?: string;
  readonly required?: boolean;
  readonly type?: 'text' | 'number' | 'integer' | 'boolean';
  readonly default?: unknown;
  readonly label?: string;
  readonly help?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly values?: readonly unknown[];
}

/** A share as the server has it. */
export interface Share {
  readonly kind: 'user' | 'team' | 'everyone';
  readonly name?: string;
  readonly right: 'use' | 'edit';
}

/** What people enter to save a pipeline. */
export interface SentPipeline {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly definition: PipelineJson;
  readonly inputs: readonly SavedInput[];
  readonly sharedWith: readonly Share[];
}

/** A pipeline as the server answers it (`GET /api/v1/pipelines`). */
export interface SavedPipeline extends Omit<SentPipeline, 'definition' | 'inputs' | 'sharedWith'> {
  readonly owner: string | null;
  readonly version: number;
  readonly right: 'use' | 'edit';
  readonly operations: readonly string[];
  readonly fields: readonly ShownField[];
  readonly valid: boolean;
  readonly errors: readonly FieldFault[];
  /** These three only for those who may edit it. */
  readonly definition?: PipelineJson;
  readonly inputs?: readonly SavedInput[];
  readonly sharedWith?: readonly Share[];
}

const address = (name: string): string => `pipelines/${encodeURIComponent(name)}`;

export function listSaved(signal: AbortSignal): Promise<readonly SavedPipeline[]> {
  return callJson('pipelines', { signal });
}

export function getSaved(name: string, signal?: AbortSignal): Promise<SavedPipeline> {
  return callJson(address(name), { signal });
}

/** Saves a new pipeline; with `version`, the next version of the one that this one is. */
export function savePipeline(sent: SentPipeline, version?: number): Promise<SavedPipeline> {
  if (version === undefined) return callJson('pipelines', { body: sent });
  return callJson(address(sent.name), { method: 'PUT', query: { basedOn: String(version) }, body: sent });
}

export function removeSaved(name: string): Promise<void> {
  return callJson(address(name), { method: 'DELETE' });
}

/** A saved pipeline as a tool. */
export function asOperation({ name, title, description, fields, valid, errors }: SavedPipeline): ShownOperation {
  return {
    path: `tools/${name}`,
    name,
    category: 'pipelines',
    title,
    summary: description === '' ? title : description,
    keywords: [],
    icon: 'workflow',
    order: 0,
    files: 'all',
    parts: [{ field: 'fileInput', label: t('Files'), kinds: ['any'], extensions: [], required: true, many: true }],
    groups: [],
    fields,
    returns: { type: 'file', kinds: ['any'], many: true, mayDrop: true },
    effects: [],
    pipeline: true,
    job: true,
    availability: valid
      ? { state: 'available' }
      : { state: 'off', reason: errors.map(({ detail }) => detail).join('; ') },
    examples: [],
  };
}
