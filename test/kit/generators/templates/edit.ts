import { type NewOperation, operationNames } from '../operation-names.js';
import type { OperationTemplate } from './template.js';

/** Changes a PDF in place: opens it, lets pdf-lib change it, appends the change or rewrites the file. */
export const editTemplate: OperationTemplate = {
  use: 'change a PDF and return it',
  sample: 'writes a line of text at the bottom of each page',
  declaration: ({ path, since }: NewOperation): string => {
    const { file, exportName, typeName, summary, title } = operationNames(path);
    return `import { defineOperation, shown, tokens } from '@quire/registry';

interface ${typeName} {
  text: string;
}

/** Writes a line of text at the bottom of each page. */
export const ${exportName} = defineOperation<${typeName}>({
  path: '${path}',
  since: '${since}',
  summary: '${summary}',
  title: '${title}',
  icon: 'pencil', // a name of https://lucide.dev
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_${file}', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<${typeName}, true>({
      // How people see the field: also unit, widget, group and when (registry/contract/presentation.ts).
      text: shown(joi.string().max(100).required().description('Text at the bottom of each page').example('Draft'), {
        label: 'Line of text',
      }),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a letter',
      files: ['letter.pdf'],
      params: { text: 'Draft' },
      expect: { pages: [2], names: ['letter_${file}.pdf'] },
    },
    { title: 'no text', files: ['letter.pdf'], params: { text: '' }, expect: { refused: 'INPUT_INVALID' } },
  ],
  run: async (file, { text }, ctx) => {
    const [{ editFile }, { ${exportName}: edit }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/${file}.js'),
    ]);
    const target = \`\${await ctx.folder()}/result.pdf\`;
    const modified = ctx.use(tokens.clock).now();
    const options = { mode: ctx.writing, modified };
    await editFile(file.path(), target, options, ({ document }) => edit(document, text));
    return [await ctx.adopt(file, target)];
  },
});
`;
  },
  work: ({ path }: NewOperation): string => `import { type PDFDocument, StandardFonts } from 'pdf-lib';

/** Writes a line of text half an inch above the lower left corner of each page. */
export async function ${operationNames(path).exportName}(document: PDFDocument, text: string): Promise<void> {
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const page of document.getPages()) page.drawText(text, { x: 36, y: 36, size: 10, font });
  await document.flush();
}
`,
  test: ({ path }: NewOperation): string => {
    const { file, exportName } = operationNames(path);
    return `import { expect } from 'chai';
import { expectPdf, fakeContext, fakeFile, makePdf } from '@quire/plugin-kit';
import { ${exportName} } from '../../src/operations/${file}.op.js';

describe('${path}', () => {
  it('writes the text on each page and keeps what was there', async () => {
    const context = await fakeContext();
    const input = fakeFile('letter.pdf', await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }));
    const result = await ${exportName}.run(input, { text: 'Draft' }, context);
    if ('json' in result) expect.fail('returned JSON');
    expect(result).to.have.length(1);
    for (const output of result)
      await expectPdf(await context.read(output))
        .pages(2)
        .text(1, /Dear customer[\\s\\S]*Draft/)
        .text(2, /Yours[\\s\\S]*Draft/);
    await context.cleanup();
  });
});
`;
  },
};
