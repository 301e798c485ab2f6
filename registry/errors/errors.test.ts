import {
  errorTable,
  InputError,
  QuireError,
  isQuireError,
  reviveError,
  serialiseError,
  type ErrorCode,
} from '@quire/registry';
import { expect } from 'chai';

describe('error table', () => {
  it('has an HTTP error status for every code that reaches a client', () => {
    for (const [code, row] of Object.entries(errorTable)) {
      if (row.family === 'startup') expect(row.status, code).to.equal(0);
      else expect(row.status, code).to.be.within(400, 599);
    }
  });

  it("uses 5xx only for faults that are not the caller's", () => {
    for (const [code, row] of Object.entries(errorTable))
      if (row.family === 'input') expect(row.status, code).to.be.below(500);
  });

  it('keeps the literal text that clients compare where a password can be sent', () => {
    expect(new InputError('PDF_ENCRYPTED').message).to.equal('The PDF needs a password.');
    expect(new InputError('PDF_ENCRYPTED', { passwordField: 'password' }).message).to.equal(
      'The PDF Document is passworded and either the password was not provided or was incorrect',
    );
  });
});

describe('coded error', () => {
  it('fills the text from its data', () => {
    expect(new InputError('INPUT_FILE_MISSING', { field: 'fileInput' }).message).to.contain('"fileInput"');
  });

  it('keeps its code, data and faulty fields between processes', () => {
    const error = new InputError('INPUT_INVALID', { detail: 'x' }, [{ pointer: '/angle', detail: 'x' }]);
    const back = reviveError(JSON.parse(JSON.stringify(serialiseError(error))) as ReturnType<typeof serialiseError>);
    expect({ code: back.code, message: back.message, errors: back.errors }).to.deep.equal({
      code: error.code,
      message: error.message,
      errors: error.errors,
    });
  });

  it('is recognised by its brand, even when another copy of the package created it', () => {
    expect(isQuireError({ [Symbol.for('quire.error')]: true, code: 'PDF_DAMAGED' })).to.equal(true);
    expect(isQuireError({ [Symbol.for('quire.error')]: true, code: 'NOT_A_CODE' })).to.equal(false);
    expect(isQuireError(new Error('x'))).to.equal(false);
  });

  it('never passes the message of an uncoded error to another process', () => {
    expect(serialiseError(new Error('secret path /etc/x'))).to.deep.equal({ code: 'INTERNAL', data: {} });
    for (const code of ['ENOSPC', 'EDQUOT'])
      expect(serialiseError(Object.assign(new Error('x'), { code }))).to.deep.equal({ code: 'STORAGE_FULL', data: {} });
  });

  it('accepts every code of the table', () => {
    for (const code of Object.keys(errorTable) as ErrorCode[]) expect(new QuireError(code).row.title).to.not.equal('');
  });
});
