import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import Joi from 'joi';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { compressPdf } from '../../src/operations/compress-pdf.op.js';

const picture = (): Promise<Uint8Array> => readFile(new URL('../../fixtures/picture.pdf', import.meta.url));
const validate = (params: Record<string, unknown>) => compressPdf.params(Joi).validate(params);

async function compress(
  params: Record<string, unknown>,
): Promise<{ bytes: Uint8Array; report: Readonly<Record<string, unknown>> }> {
  const context = await fakeContext();
  try {
    const { value, error } = validate(params);
    if (error !== undefined) throw error;
    if (compressPdf.files !== 'each') throw new Error('one file at a time');
    const result = await compressPdf.run(fakeFile('picture.pdf', await picture()), value, context);
    if ('json' in result || result[0] === undefined) throw new Error('it gives one file');
    return { bytes: await context.read(result[0]), report: context.reports };
  } finally {
    await context.cleanup();
  }
}

describe('compress-pdf', () => {
  it('reports its results', async () => {
    const { bytes, report } = await compress({ optimizeLevel: '6' });
    expect(report).to.include({
      level: 6,
      achieved: true,
      unchanged: false,
      inputBytes: (await picture()).length,
      outputBytes: bytes.length,
    });
    expect(bytes.length).to.be.lessThan((await picture()).length);
  });

  it('reaches a target size', async () => {
    const { bytes, report } = await compress({ expectedOutputSize: '30 KB' });
    expect([report['achieved'], bytes.length <= 30 * 1024]).to.deep.equal([true, true]);
  });

  it('treats an empty or one-character target as level mode', () => {
    for (const expectedOutputSize of ['', ' ', '5'])
      expect(validate({ expectedOutputSize }).value, `"${expectedOutputSize}"`)
        .to.include({ optimizeLevel: 5 })
        .and.not.have.property('expectedOutputSize');
  });

  it('limits the line art numbers to their range', () => {
    expect(validate({ lineArtThreshold: '170', lineArtEdgeLevel: '0' }).value).to.include({
      lineArtThreshold: 100,
      lineArtEdgeLevel: 1,
    });
  });

  it('refuses levels outside 1 to 9 and invalid target sizes', () => {
    for (const params of [
      { optimizeLevel: 0 },
      { optimizeLevel: 10 },
      { optimizeLevel: '5.5' },
      { expectedOutputSize: 'small' },
      { expectedOutputSize: '0KB' },
    ]) {
      expect(validate(params).error, JSON.stringify(params)).not.to.equal(undefined);
    }
  });
});
