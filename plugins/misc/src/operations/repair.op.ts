import { defineOperation, tokens } from '@quire/registry';

type RepairParams = Record<string, never>;

/** Rewrites a damaged PDF so that strict readers open it. */
export const repair = defineOperation<RepairParams>({
  path: 'misc/repair',
  name: 'repairPdf',
  since: '0.1.0',
  summary: 'Repair a damaged PDF',
  title: 'Repair a PDF',
  icon: 'wrench',
  order: 90,
  keywords: ['fix', 'corrupt', 'broken', 'recover', 'restore', 'xref'],
  notes: [
    'Several engines are tried in order until a result opens with all its pages, bookmarks, form fields and ' +
      "attachments and passes a structure check: first Quire's own parser, then PDFium, then libpdf, and finally " +
      'those of qpdf, mutool and Ghostscript that are installed on the server (none of them is required). Each ' +
      'engine has a time limit (`limits.repairRungSeconds`). A valid PDF is returned rewritten; encryption ' +
      'without a password is kept.',
    '`X-Tool-Report` holds `engine`, the engine that produced the result (`quire`, `pdfium`, `libpdf`, `qpdf`, ' +
      '`mutool`, `ghostscript`); `warnings`, what was wrong with the file, if known; and `passedOver`, the ' +
      'engines tried before and why their results were rejected. If none succeeds, the detail of `REPAIR_FAILED` ' +
      'gives the reason of each engine. `X-Warnings` names content that no engine could bring back.',
  ].join('\n\n'),
  accepts: ['pdf'],
  // This operation exists for files that the usual input check refuses.
  input: 'raw',
  damagedInput: 'allowed',
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_repaired', pages: 'any' },
  writes: 'rewrite',
  // A damaged file is not the one that was signed, and the caller asked for a repair.
  signedInput: 'allowed',
  params: (joi) => joi.object<RepairParams, true>({}),
  needs: { services: [tokens.rebuildPdf, tokens.settings] },
  // Every engine may use its whole time limit, and each result is checked.
  limits: { timeoutMs: 240_000 },
  errors: ['REPAIR_FAILED', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a file whose cross-reference table points nowhere',
      files: ['broken-table.pdf'],
      params: {},
      expect: { pages: [2], names: ['broken-table_repaired.pdf'] },
    },
    { title: 'a valid file', files: ['picture.pdf'], params: {}, expect: { pages: [1] } },
    { title: 'nothing to repair', files: ['header-only.pdf'], params: {}, expect: { refused: 'REPAIR_FAILED' } },
  ],
  run: async (file, _params, ctx) => {
    const { repairPdf, fileProgram } = await import('@quire/document/file/repair');
    const [rebuilder, folder] = [ctx.use(tokens.rebuildPdf), await ctx.folder()];
    const programs = (await rebuilder.available()).map((name) =>
      fileProgram(name, folder, (input, output, signal) => rebuilder.rebuild(name, input, output, signal)),
    );
    const seconds = ctx.use(tokens.settings).get<number | undefined>('limits.repairRungSeconds');
    const { bytes, engine, warnings, lost, passedOver } = await repairPdf(await file.bytes(), {
      programs,
      signal: ctx.signal,
      ...(seconds === undefined ? {} : { engineMs: seconds * 1000 }),
    });
    ctx.report({
      engine,
      ...(warnings.length === 0 ? {} : { warnings: warnings.join('; ') }),
      ...(passedOver.length === 0 ? {} : { passedOver: passedOver.join('; ') }),
    });
    for (const sentence of lost) ctx.warn(sentence);
    return [await ctx.output(file, bytes)];
  },
});
