import { namesOf } from '../conformance/declaration-section.js';

/** The words of a new operation. */
export interface NewOperation {
  /** `general/some-name`. */
  readonly path: string;
  readonly since: string;
}

/** Names that follow from an operation's path. */
export function wordsOf(path: string): {
  file: string;
  exportName: string;
  typeName: string;
  functionName: string;
  title: string;
} {
  const { file, exportName } = namesOf(path);
  const typeName = `${exportName[0]?.toUpperCase() ?? ''}${exportName.slice(1)}Params`;
  const words = file.replaceAll('-', ' ');
  return {
    file,
    exportName,
    typeName,
    functionName: `${exportName}Bytes`,
    title: `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`.slice(0, 60),
  };
}

/** True for a path that an operation may have. */
export function isOperationPath(path: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)+$/.test(path);
}

/** The declaration. */
export function operationSource({ path, since }: NewOperation): string {
  const { file, exportName, typeName, functionName, title } = wordsOf(path);
  return `import { booleanField, defineOperation } from '@quire/registry';

interface ${typeName} {
  removeSecurity: boolean;
}

/** Writes a PDF anew. */
export const ${exportName} = defineOperation<${typeName}>({
  path: '${path}',
  since: '${since}',
  summary: '${title}',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_${file}', pages: 'same' },
  writes: 'rewrite',
  params: (joi) => joi.object<${typeName}, true>({
    removeSecurity: booleanField(joi, 'Writes the result without encryption'),
  }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [{ title: 'a letter', files: ['letter.pdf'], params: { removeSecurity: true }, expect: { pages: [2], names: ['letter_${file}.pdf'] } }],
  run: async (file, { removeSecurity }, ctx) => {
    const { ${functionName} } = await import('../functions/${file}.js');
    return [await ctx.output(file, await ${functionName}(await file.bytes(), removeSecurity))];
  },
});
`;
}

/** The pure function behind it. */
export function functionSource({ path }: NewOperation): string {
  const { functionName } = wordsOf(path);
  return `import { resavePdf } from '@quire/document/engines/pdfium';

/** Gives the PDF written anew. Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED. */
export function ${functionName}(bytes: Uint8Array, removeSecurity: boolean): Promise<Uint8Array> {
  return resavePdf(bytes, { removeSecurity });
}
`;
}

/** A test of the operation without a server. */
export function testSource({ path }: NewOperation): string {
  const { file, exportName } = wordsOf(path);
  return `import { expect } from 'chai';
import { expectPdf, fakeContext, fakeFile, makePdf } from '@quire/plugin-kit';
import { ${exportName} } from '../../src/operations/${file}.op.js';

describe('${path}', () => {
  it('keeps pages and text', async () => {
    const context = await fakeContext();
    const input = fakeFile('letter.pdf', await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }));
    const result = await ${exportName}.run(input, { removeSecurity: true }, context);
    if ('json' in result) expect.fail('gave JSON');
    expect(result).to.have.length(1);
    for (const output of result) await expectPdf(await context.read(output)).pages(2).text(1, 'Dear customer').text(2, 'Yours');
    await context.cleanup();
  });
});
`;
}
