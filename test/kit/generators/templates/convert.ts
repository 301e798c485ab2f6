import { type NewOperation, operationNames } from '../operation-names.js';
import type { OperationTemplate } from './template.js';

/** Converts a PDF into another file type. */
export const convertTemplate: OperationTemplate = {
  use: 'convert a PDF into another file type',
  sample: 'writes the text of each page into a Markdown file',
  declaration: ({ path, since }: NewOperation): string => {
    const { file, exportName, typeName, summary, title } = operationNames(path);
    return `import { defineOperation } from '@quire/registry';

type ${typeName} = Record<string, never>;

/** Writes the text of each page into a Markdown file, under a heading with the page number. */
export const ${exportName} = defineOperation<${typeName}>({
  path: '${path}',
  since: '${since}',
  summary: '${summary}',
  title: '${title}',
  icon: 'file-output', // a name of https://lucide.dev
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'md', name: '{base}' },
  params: (joi) => joi.object<${typeName}, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [{ title: 'a letter', files: ['letter.pdf'], params: {}, expect: { names: ['letter.md'] } }],
  run: async (file, _params, ctx) => {
    const { ${exportName}: convert } = await import('../functions/${file}.js');
    return [await ctx.output(file, new TextEncoder().encode(await convert(file.path())))];
  },
});
`;
  },
  work: ({ path }: NewOperation): string => `import { readPdf } from '@quire/document/content/text';

/** Returns the text of the PDF at a path as Markdown, one section for each page. */
export function ${operationNames(path).exportName}(path: string): Promise<string> {
  return readPdf({ path }, (document) =>
    Array.from({ length: document.pageCount }, (_page, index) => {
      const text = document.pageText(index).replaceAll('\\r\\n', '\\n').trim();
      return \`## Page \${index + 1}\\n\\n\${text}\\n\`;
    }).join('\\n'),
  );
}
`,
  test: ({ path }: NewOperation): string => {
    const { file, exportName } = operationNames(path);
    return `import { expect } from 'chai';
import { fakeContext, fakeFile, makePdf } from '@quire/plugin-kit';
import { ${exportName} } from '../../src/operations/${file}.op.js';

describe('${path}', () => {
  it('writes a section for each page', async () => {
    const context = await fakeContext();
    const input = fakeFile('letter.pdf', await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }));
    const result = await ${exportName}.run(input, {}, context);
    if ('json' in result) expect.fail('returned JSON');
    const [output] = result;
    if (output === undefined) expect.fail('returned no file');
    const text = new TextDecoder().decode(await context.read(output));
    expect(text).to.match(/## Page 1\\n\\nDear customer[\\s\\S]*## Page 2\\n\\nYours/);
    await context.cleanup();
  });
});
`;
  },
};
