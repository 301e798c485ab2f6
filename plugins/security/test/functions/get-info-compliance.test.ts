import { expect } from 'chai';
import { OperationalError } from '@quire/registry/errors';
import { complianceInfo, type DeclaredStandard } from '../../src/functions/get-info-compliance.js';
import { checkStandards } from '../../src/functions/get-info-standards.js';

const found = (standard: string, compliant: boolean): DeclaredStandard => ({
  standard,
  compliant,
  complianceSummary: `${standard} ${compliant}`,
});
const keys = (standards: readonly DeclaredStandard[], declaresPdfE = false) =>
  complianceInfo({ standards, declaresPdfE, secure: true }).compliancy;

describe('Compliance in get-info-on-pdf', () => {
  it('lists the standards that are declared and met', () => {
    expect(keys([found('2u', true), found('ua1', false)])).to.deep.equal({
      'IsPDF/ACompliant': true,
      'IsPDF/UACompliant': false,
      'IsPDF/ECompliant': false,
      'IsPDF/VTCompliant': false,
      'IsPDF/BCompliant': true,
      'PDF/AConformanceLevel': '2u',
      'IsPDF/SECCompliant': true,
      '2u': true,
      ua1: false,
    });
    expect(keys([found('1b', false)])).to.deep.include({
      'IsPDF/ACompliant': false,
      'IsPDF/BCompliant': false,
      '1b': false,
    });
    expect(keys([found('not-pdfa', false), found('ua2', true), found('wt1a', true)])).to.deep.include({
      'IsPDF/ACompliant': false,
      'IsPDF/UACompliant': true,
      'not-pdfa': false,
      wt1a: true,
    });
  });

  it('has no level B in PDF/A-4, whose level E replaces PDF/E', () => {
    expect(keys([found('4e', true)])).to.deep.include({
      'IsPDF/ACompliant': true,
      'IsPDF/ECompliant': true,
      'IsPDF/BCompliant': false,
      'PDF/AConformanceLevel': '4e',
    });
    expect(keys([found('4', true)])).to.deep.include({
      'IsPDF/ACompliant': true,
      'IsPDF/ECompliant': false,
      'PDF/AConformanceLevel': '4',
    });
  });

  it('says nothing about a declared PDF/E, because it is not checked', () => {
    expect(keys([found('not-pdfa', false)], true)).not.to.have.property('IsPDF/ECompliant');
    expect(keys([found('4e', true)], true)['IsPDF/ECompliant']).to.equal(true);
  });

  it('leaves out what could not be read or checked', () => {
    expect(complianceInfo({ standards: undefined, declaresPdfE: false, secure: undefined })).to.deep.equal({
      compliancy: { 'IsPDF/VTCompliant': false },
      summary: undefined,
    });
  });

  it('is unknown if the check fails, and reports the reason without rejecting', async () => {
    const path = new URL('../../fixtures/pdfa-2b.pdf', import.meta.url).pathname;
    const failing = (error: Error) => checkStandards(path, () => Promise.reject(error));
    expect(await failing(new OperationalError('PROGRAM_MISSING', { program: 'verapdf' }))).to.deep.equal({
      standards: undefined,
      unchecked: 'veraPDF is not installed',
    });
    expect(await failing(new OperationalError('TIMEOUT', { seconds: 1 }))).to.deep.equal({
      standards: undefined,
      unchecked: 'veraPDF could not check the document (TIMEOUT)',
    });
    expect(await failing(new Error('a bug'))).to.deep.include({
      unchecked: 'veraPDF could not check the document (INTERNAL)',
    });
  });

  it('does not check a document without declarations', async () => {
    const path = new URL('../../fixtures/rotated-and-cropped.pdf', import.meta.url).pathname;
    const { standards } = await checkStandards(path, () => Promise.reject(new Error('asked')));
    expect(standards?.map(({ standard }) => standard)).to.deep.equal(['not-pdfa']);
  });
});
