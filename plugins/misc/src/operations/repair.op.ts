import { defineOperation, tokens } from '@quire/registry';

type RepairParams = Record<string, never>;

/** Rewrites a damaged PDF so that strict readers open it. */
export const repair = defineOperation<RepairParams>({
  path: 'misc/repair',
  since: '0.1.0',
  summary: 'Repair a damaged PDF',
  notes: [
    'A ladder of engines is tried until a result reopens with all its pages, its bookmarks, form fields and ' +
      'attachments, and a structure check finds nothing: our own reader, then PDFium, then libpdf, and last ' +
      'whichever of the programs qpdf, mutool and Ghostscript are installed on the server (none of them needs to ' +
      'be). Each has a deadline (`limits.repairRungSeconds`). A sound PDF comes back rewritten; encryption ' +
      'without a password stays.',
    '`X-Tool-Report` tells: `engine`, the one whose result this is (`quire`, `pdfium`, `libpdf`, `qpdf`, ' +
      '`mutool`, `ghostscript`); `warnings`, what was wrong with the file, where that is known; `passedOver`, ' +
      'the engines tried before and why their result was not taken. When none succeeds, the detail of ' +
      '`REPAIR_FAILED` gives the reason of each.',
  ].join('\n\n'),
  accepts: ['pdf'],
  // The point is to take what the common check refuses.
  input: 'raw',
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_repaired', pages: 'any' },
  writes: 'rewrite',
  // A file that needs mending is not the one that was signed, and who calls this wants it mended.
  signedInput: 'allowed',
  params: (joi) => joi.object<RepairParams, true>({}),
  needs: { services: [tokens.rebuildPdf, tokens.settings] },
  // Every engine may use up its deadline, and each result is checked.
  limits: { timeoutMs: 240_000 },
  errors: ['REPAIR_FAILED', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a file whose cross-reference table points nowhere',
      files: ['broken-table.pdf'],
      params: {},
      expect: { pages: [2], names: ['broken-table_repaired.pdf'] },
    },
    { title: 'a sound file', files: ['picture.pdf'], params: {}, expect: { pages: [1] } },
    { title: 'nothing to repair', files: ['header-only.pdf'], params: {}, expect: { refused: 'REPAIR_FAILED' } },
  ],
  run: async (file, _params, ctx) => {
    const { repairPdf, throughFiles } = await import('@quire/document/file/repair');
    const [rebuilder, folder] = [ctx.use(tokens.rebuildPdf), await ctx.folder()];
    const programs = (await rebuilder.available()).map((name) =>
      throughFiles(name, folder, (input, output, signal) => rebuilder.rebuild(name, input, output, signal)),
    );
    const seconds = ctx.use(tokens.settings).get<number | undefined>('limits.repairRungSeconds');
    const { bytes, rung, warnings, passedOver } = await repairPdf(await file.bytes(), {
      programs,
      signal: ctx.signal,
      ...(seconds === undefined ? {} : { rungMs: seconds * 1000 }),
    });
    ctx.report({
      engine: rung,
      ...(warnings.length === 0 ? {} : { warnings: warnings.join('; ') }),
      ...(passedOver.length === 0 ? {} : { passedOver: passedOver.join('; ') }),
    });
    return [await ctx.output(file, bytes)];
  },
});
