import { defineTask } from '@quire/registry';
import type { DocumentTold } from '../functions/call-context.js';
import type { Picked } from '../functions/pick-entry.js';
import type { NewLabel, SensitivityLabel } from '../functions/sensitivity-labels.js';

export const tellDocument = defineTask<{ readonly path: string }, DocumentTold>({
  name: 'integration.tell',
  run: async ({ path }) => (await import('../functions/document-told.js')).documentTold(path),
});

/** Looks whether a PDF from elsewhere can be read, or only needs its password. Throws what opening it throws. */
export const checkPdf = defineTask<{ readonly path: string }, null>({
  name: 'integration.check',
  run: async ({ path }) => {
    await (await import('@quire/document/file/inspection')).inspectPdf({ path }, { allowLocked: true });
    return null;
  },
});

/** Unpacks one entry of an archive. */
export const pickFromArchive = defineTask<
  { readonly path: string; readonly folder: string; readonly select: string },
  Picked
>({
  name: 'integration.pick',
  run: async ({ path, folder, select }, { signal }) =>
    (await import('../functions/pick-entry.js')).pickEntry(path, folder, select, signal),
});

/** Reads the labels of a PDF. */
export const tellLabels = defineTask<{ readonly path: string }, readonly SensitivityLabel[]>({
  name: 'integration.labels',
  run: async ({ path }) => {
    const [{ withPdf }, { labelProperties }, { readLabels }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/document-told.js'),
      import('../functions/sensitivity-labels.js'),
    ]);
    return withPdf({ path }, {}, (opened) => readLabels(labelProperties(opened)));
  },
});

/** A label with its time as milliseconds, so that it crosses to workers. */
export type LabelWire = Omit<NewLabel, 'setDate'> & { readonly setDate: number };

/** Writes a label into a copy of a PDF. */
export const putLabel = defineTask<
  { readonly path: string; readonly target: string; readonly mode: 'append' | 'rewrite'; readonly label: LabelWire },
  null
>({
  name: 'integration.label',
  run: async ({ path, target, mode, label }) => {
    const [{ editFile }, { changeInfo }, { labelProperties }, { labelChanges }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/metadata'),
      import('../functions/document-told.js'),
      import('../functions/sensitivity-labels.js'),
    ]);
    const setDate = new Date(label.setDate);
    await editFile(path, target, { mode, modified: setDate }, (opened) =>
      changeInfo(opened.document.context, labelChanges(labelProperties(opened), { ...label, setDate })),
    );
    return null;
  },
});

/** All of them. */
export const tasks = [tellDocument, checkPdf, pickFromArchive, tellLabels, putLabel];
