import { filesNamed, isObject, mapSteps } from '../../operations/pipelines/index.js';
import { escapePointer } from '../../operations/runner/index.js';
import type { Assets } from '../assets/assets.js';
import type { Draft, Finding, ImportCall } from './draft.js';

export interface SettledFiles {
  readonly pipeline: Draft['content']['work']['pipeline'];
  readonly findings: readonly Finding[];
}

/**
 * Finds the stored files that the steps of a draft name here: by id, else by content. Those that are not here are left
 * out. `place`: where a step is in the document.
 */
export async function settleFiles(
  assets: Pick<Assets, 'forStep' | 'withContent'>,
  { content, files }: Draft,
  { principal }: Pick<ImportCall, 'principal'>,
  place: (pointer: string) => string,
): Promise<SettledFiles> {
  const { pipeline } = content.work;
  if (typeof pipeline === 'string') return { pipeline, findings: [] };
  const here = new Map<string, string>();
  for (const id of filesNamed(pipeline)) {
    const described = files.get(id);
    const found =
      (await assets.forStep(id, principal)) ??
      (described === undefined ? undefined : await assets.withContent(principal, described.sha256));
    if (found !== undefined) here.set(id, found.id);
  }
  const findings: Finding[] = [];
  const settled = mapSteps(pipeline, (step, pointer) => {
    const { fileParameters, ...rest } = step;
    if (!isObject(fileParameters)) return step;
    const kept = Object.entries(fileParameters).flatMap(([field, reference]) => {
      const at = `${place(pointer)}/fileParameters/${escapePointer(field)}`;
      const ids = [...filesNamed([{ fileParameters: { field: reference } }])];
      const missing = ids.find((id) => !here.has(id));
      const name = files.get(missing ?? ids[0] ?? '')?.fileName;
      if (missing !== undefined || ids.length === 0) {
        const which = name === undefined ? 'the file' : `the file "${name}"`;
        findings.push({
          kind: 'todo',
          pointer: at,
          detail: `is left out: ${which} is not here; store it and choose it`,
        });
        return [];
      }
      if (ids.every((id) => here.get(id) === id)) return [[field, reference] as const];
      findings.push({ kind: 'translated', pointer: at, detail: `uses a stored file with the content of "${name}"` });
      const references = ids.map((id) => `asset:${here.get(id)}`);
      return [[field, references.length === 1 ? references[0] : references] as const];
    });
    return kept.length === 0 ? rest : { ...rest, fileParameters: Object.fromEntries(kept) };
  });
  return { pipeline: settled, findings };
}
