import { expect } from 'chai';
import { operationNames } from './operation-names.js';

describe('names of operations', () => {
  it('are the declared one, or the words of the path after the category', () => {
    const names = operationNames([{ path: 'general/rotate-pdf' }, { path: 'general/crop', name: 'cropPages' }], []);
    expect([...names]).to.deep.equal([
      ['general/rotate-pdf', 'rotatePdf'],
      ['general/crop', 'cropPages'],
    ]);
  });

  it('give way to the whole path when an earlier operation or an endpoint has the name', () => {
    const operations = [{ path: 'general/rotate-pdf' }, { path: 'acme/rotate-pdf' }, { path: 'acme/get-job' }];
    expect([...operationNames(operations, ['getJob']).values()]).to.deep.equal([
      'rotatePdf',
      'acmeRotatePdf',
      'acmeGetJob',
    ]);
  });

  it('are numbered when that is taken too', () => {
    const names = operationNames([{ path: 'acme/get-job' }], ['getJob', 'acmeGetJob', 'acmeGetJob2']);
    expect(names.get('acme/get-job')).to.equal('acmeGetJob3');
  });
});
