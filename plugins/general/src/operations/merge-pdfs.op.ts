import { booleanField, defineOperation, InputError, tokens, replacement, shown } from '@quire/registry';

interface MergePdfsParams {
  sortType: 'orderProvided' | 'byFileName' | 'byDateModified' | 'byDateCreated' | 'byPDFTitle';
  removeCertSign: boolean;
  generateToc: boolean;
  fileOrder?: string;
  clientFileIds?: string;
}

/** Names that a warning repeats, and their length. */
const [NAMED, SHOWN] = [5, 60];

const sortTypes = ['orderProvided', 'byFileName', 'byDateModified', 'byDateCreated', 'byPDFTitle'] as const;

/** Joins several PDFs into one (`docs/interface/general.yml`, merge-pdfs). */
export const mergePdfs = defineOperation<MergePdfsParams>({
  path: 'general/merge-pdfs',
  since: '0.1.0',
  summary: 'Merge several PDFs into one',
  title: 'Merge PDFs',
  icon: 'merge',
  order: 10,
  keywords: ['combine', 'join', 'concatenate', 'append', 'unite', 'merger'],
  notes:
    'Bookmarks, links, named destinations, form fields, page labels, layers, tags and attachments of all ' +
    'inputs are kept. If two inputs use the same name, the later one gets a number: `name_2`.',
  accepts: ['pdf'],
  files: 'all',
  returns: { kind: 'pdf', name: '{base}_merged_unsigned', pages: 'same' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<MergePdfsParams, true>({
      // Existing clients send unknown values and expect the order provided (`docs/interface/general.yml`).
      sortType: shown(
        joi
          .string()
          .valid(...sortTypes)
          .empty('')
          .default('orderProvided')
          .failover(replacement('orderProvided'))
          .description(
            'Order of the inputs; both dates put the newest first, and files without a title or date come last',
          )
          .example('byFileName'),
        {
          label: 'Order',
          help: 'By date: the newest first. Files without a title or date come last.',
          options: {
            orderProvided: 'As listed',
            byFileName: 'By file name',
            byDateModified: 'By date of change',
            byDateCreated: 'By date of creation',
            byPDFTitle: 'By title',
          },
        },
      ),
      removeCertSign: shown(booleanField(joi, 'Remove signature fields; their appearance stays on the page', true), {
        label: 'Remove signature fields',
        help: 'Their appearance stays on the page.',
      }),
      generateToc: shown(booleanField(joi, 'Add one bookmark per input, before those of the inputs'), {
        label: 'Add a bookmark for each file',
        help: 'Before the bookmarks that the files have.',
      }),
      fileOrder: shown(
        joi
          .string()
          .max(1_000_000)
          .empty('')
          .description('File names in the desired order, one per line; takes precedence over sortType')
          .example('b.pdf\na.pdf'),
        {
          label: 'Order by file names',
          help: 'File names in the desired order, one per line; takes precedence over the order above.',
          widget: 'multiline',
          advanced: true,
        },
      ),
      clientFileIds: shown(
        joi
          .string()
          .max(1_000_000)
          .empty('')
          .description('JSON array of ids chosen by the client; accepted but ignored')
          .example('["1","2"]'),
        { hidden: true },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two files in the order sent',
      files: ['handbook.pdf', 'two-pages.pdf'],
      params: {},
      expect: { pages: [6], names: ['handbook_merged_unsigned.pdf'] },
    },
    {
      title: 'sorted by name, with a table of contents',
      files: ['two-pages.pdf', 'handbook.pdf'],
      params: { sortType: 'byFileName', generateToc: true },
      expect: { pages: [6], names: ['handbook_merged_unsigned.pdf'] },
    },
    {
      title: 'one damaged input',
      files: ['two-pages.pdf', 'broken.pdf'],
      params: {},
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (files, params, ctx) => {
    const { mergeToFile } = await import('@quire/document/structure/merge');
    const inputs = files.map((file) => ({ name: file.name, path: file.path() }));
    const target = `${await ctx.folder()}/merged.pdf`;
    const { sortType, fileOrder, removeCertSign, generateToc } = params;
    const unmatched = unmatchedLines(
      fileOrder ?? '',
      files.map(({ name }) => name),
    );
    if (unmatched.length > 0) ctx.warn(unmatchedWarning(unmatched));
    const merged = await mergeToFile(inputs, target, {
      sortType,
      removeCertSign,
      generateToc,
      ...(fileOrder === undefined ? {} : { fileOrder }),
      modified: ctx.use(tokens.clock).now(),
      onProgress: (done, total) => ctx.progress(done, total),
    });
    const first = files[merged.first];
    if (first === undefined) throw new InputError('INPUT_FILE_MISSING', { field: 'fileInput' });
    return [await ctx.adopt(first, target)];
  },
});

/** Lines of `fileOrder` that select no file, because no file has the name or all that have it are selected already. */
function unmatchedLines(fileOrder: string, names: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of names) left.set(name, (left.get(name) ?? 0) + 1);
  return fileOrder.split(/\r?\n/).filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0 && line.trim() !== '';
  });
}

function unmatchedWarning(lines: readonly string[]): string {
  const shown = lines.slice(0, NAMED).map((line) => JSON.stringify(line.slice(0, SHOWN)));
  const more = lines.length > NAMED ? ` and ${lines.length - NAMED} more` : '';
  return (
    'fileOrder has names that no file has, or more often than files have them; they were skipped: ' +
    `${shown.join(', ')}${more}.`
  );
}
