import type { ShownOperation } from '@quire/registry';
import { callBlob } from '../../api/index.ts';
import type { Draft } from './draft.ts';
import { repeatedPart } from './file-checks.ts';
import { toForm } from '../../form/values.ts';

export type Example = ShownOperation['examples'][number];

/** Fills the form from an example of the operation, with its sample files. Rejects with a `Problem`. */
export async function fillExample(draft: Draft, example: Example): Promise<void> {
  const { operation } = draft;
  const [first] = operation.parts;
  const wanted: (readonly [string, string])[] = [
    ...(first === undefined ? [] : example.files.map((name) => [first.field, name] as const)),
    ...Object.entries(example.parts),
  ];
  const loaded = await Promise.all(
    wanted.map(async ([field, name]) => ({ field, file: await sample(operation, name) })),
  );
  const fields = new Map(operation.fields.map((field) => [field.name, field]));
  draft.reset(
    Object.fromEntries(
      Object.entries(example.params).flatMap(([name, value]) => {
        const field = fields.get(name);
        return field === undefined ? [] : [[name, toForm(field, value)]];
      }),
    ),
  );
  for (const part of operation.parts) {
    const files = loaded.filter(({ field }) => field === part.field).map(({ file }) => file);
    if (files.length > 0) draft.addFiles(part, files, part.many || part.field === repeatedPart(operation));
  }
}

async function sample({ category }: ShownOperation, name: string): Promise<File> {
  const path = name.split('/').map(encodeURIComponent).join('/');
  const blob = await callBlob(`console/samples/${encodeURIComponent(category)}/${path}`);
  return new File([blob], name.split('/').at(-1) ?? name, { type: blob.type });
}
