import { expect } from 'chai';
import { makePdf } from '../../test/kit/make-pdf.js';
import { hasProgram } from '../../document/test/support.js';
import { differences } from './compare-outcomes.js';
import type { Outcome } from './send.js';
import { allSteps, chainOf } from './steps.js';

const done = (bytes: Uint8Array, ...warnings: string[]): Outcome => ({ status: 200, code: '', warnings, bytes });
const refusal = (code: string, status = 400): Outcome => ({ status, code, warnings: [], bytes: Buffer.alloc(0) });

describe('Comparing a pipeline with the same calls one by one', () => {
  let two: Uint8Array;
  let three: Uint8Array;

  before(async function () {
    if (!hasProgram('qpdf') || !hasProgram('pdftotext')) this.skip();
    two = await makePdf({ pages: 2 });
    three = await makePdf({ pages: 3 });
  });

  it('finds nothing in the same result, warnings in another order included', async () => {
    const calls = done(two, 'Text was lost.', 'A font is missing. Text was lost.');
    expect(await differences(done(two, 'A font is missing. Text was lost.'), calls)).to.deep.equal([]);
  });

  it('names what a result has lost', async () => {
    const found = await differences(done(two), done(three));
    expect(found.join('\n')).to.contain('pages: 3 became 2').and.to.contain('text differs');
  });

  it('names warnings that are missing, and those that only the pipeline has', async () => {
    expect(await differences(done(two, 'Tags are gone.'), done(two, 'A font is missing.'))).to.deep.equal([
      'does not warn: A font is missing.',
      'only the pipeline warns: Tags are gone.',
    ]);
  });

  it('tells refusals apart by their code, and takes what the check before the run refuses for the same', async () => {
    expect(await differences(refusal('PDF_DAMAGED'), refusal('PDF_DAMAGED'))).to.deep.equal([]);
    expect(await differences(refusal('PIPELINE_INVALID'), refusal('PDF_ENCRYPTED'))).to.deep.equal([]);
    expect(await differences(refusal('PDF_DAMAGED'), refusal('PDF_NO_PAGES'))).to.deep.equal([
      '400 PDF_DAMAGED in place of 400 PDF_NO_PAGES',
    ]);
    expect(await differences(refusal('PIPELINE_INVALID'), done(two))).to.have.lengthOf(1);
    expect(await differences(done(two), refusal('PDF_ENCRYPTED'))).to.have.lengthOf(1);
  });

  it('takes every error of the server for a fault', async () => {
    const both = refusal('INTERNAL', 500);
    expect(await differences(both, both)).to.deep.equal(['server error 500 INTERNAL']);
  });

  it('chooses the same steps for the same seed, and others for the next file', () => {
    expect(chainOf(allSteps, 3, 5)).to.deep.equal(chainOf(allSteps, 3, 5));
    const chains = new Set(Array.from({ length: 50 }, (_, i) => JSON.stringify(chainOf(allSteps, 3, i))));
    expect(chains.size).to.be.greaterThan(45);
  });
});
