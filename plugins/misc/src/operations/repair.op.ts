import { defineOperation } from '@quire/registry';

type RepairParams = Record<string, never>;

/** Rewrites a damaged PDF so that strict readers open it. */
export const repair = defineOperation<RepairParams>({
  path: 'misc/repair',
  since: '0.1.0',
  summary: 'Repair a damaged PDF',
  notes: 'Several engines are tried in turn until a result reopens with its pages and a structure check finds nothing. A sound PDF comes back rewritten, with its bookmarks, forms and attachments. `X-Tool-Report` names the engine.',
  accepts: ['pdf'],
  // The point is to take what the common check refuses.
  input: 'raw',
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_repaired', pages: 'any' },
  writes: 'rewrite',
  // A file that needs mending is not the one that was signed, and who calls this wants it mended.
  signedInput: 'allowed',
  params: (joi) => joi.object<RepairParams, true>({}),
  errors: ['REPAIR_FAILED', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'a file whose cross-reference table points nowhere', files: ['broken-table.pdf'], params: {}, expect: { pages: [2], names: ['broken-table_repaired.pdf'] } },
    { title: 'a sound file', files: ['picture.pdf'], params: {}, expect: { pages: [1] } },
    { title: 'nothing to repair', files: ['header-only.pdf'], params: {}, expect: { refused: 'REPAIR_FAILED' } },
  ],
  run: async (file, _params, ctx) => {
    const { repairPdf } = await import('@quire/document/repair');
    const { bytes, engine } = await repairPdf(await file.bytes());
    ctx.report({ engine });
    return [await ctx.output(file, bytes)];
  },
});
