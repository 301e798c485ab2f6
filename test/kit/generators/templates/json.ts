import { type NewOperation, operationNames } from '../operation-names.js';
import type { OperationTemplate } from './template.js';

/** Answers JSON about a PDF and changes nothing. */
export const jsonTemplate: OperationTemplate = {
  use: 'answer JSON about a PDF',
  sample: 'counts the pages of a PDF and the annotations on each',
  declaration: ({ path, since }: NewOperation): string => {
    const { file, exportName, typeName, summary, title } = operationNames(path);
    return `import { defineOperation } from '@quire/registry';

type ${typeName} = Record<string, never>;

/** Counts the pages of a PDF and the annotations on each. */
export const ${exportName} = defineOperation<${typeName}>({
  path: '${path}',
  since: '${since}',
  summary: '${summary}',
  title: '${title}',
  icon: 'braces', // a name of https://lucide.dev
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        pages: joi.number().integer().required(),
        annotations: joi.array().items(joi.number().integer()).required(),
      }),
  },
  params: (joi) => joi.object<${typeName}, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'a letter', files: ['letter.pdf'], params: {}, expect: { json: { pages: 2, annotations: [0, 0] } } },
  ],
  run: async (file, _params, ctx) => {
    const { ${exportName}: count } = await import('../functions/${file}.js');
    return ctx.json(await count(file.path()));
  },
});
`;
  },
  work: ({ path }: NewOperation): string => `import { PDFArray, PDFName } from 'pdf-lib';
import { withPdf } from '@quire/document/file/open';

/** Counts the pages of the PDF at a path, and the annotations on each page (ISO 32000-2, 12.5). */
export function ${operationNames(path).exportName}(path: string): Promise<{ pages: number; annotations: number[] }> {
  return withPdf({ path }, {}, ({ pages }) => ({
    pages: pages.length,
    annotations: pages.map(({ dict }) => {
      const list = dict.lookup(PDFName.of('Annots'));
      return list instanceof PDFArray ? list.size() : 0;
    }),
  }));
}
`,
  test: ({ path }: NewOperation): string => {
    const { file, exportName } = operationNames(path);
    return `import { expect } from 'chai';
import { fakeContext, fakeFile, makePdf } from '@quire/plugin-kit';
import { ${exportName} } from '../../src/operations/${file}.op.js';

describe('${path}', () => {
  it('counts pages and annotations', async () => {
    const context = await fakeContext();
    const input = fakeFile('letter.pdf', await makePdf({ pages: 3 }));
    const result = await ${exportName}.run(input, {}, context);
    expect(result).to.have.property('json').that.deep.equals({ pages: 3, annotations: [0, 0, 0] });
    await context.cleanup();
  });
});
`;
  },
};
