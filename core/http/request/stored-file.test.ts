import { expect } from 'chai';
import { OperationalError, type Principal } from '@quire/registry';
import type { Scratch } from '../../operations/runner/index.js';
import { codeOf } from '../../../test/suites/code-of.js';
import { storedFile, type StoredFileDeps } from './stored-file.js';

describe('a file that a call names by its id', () => {
  const ann: Principal = { id: '1', name: 'ann', role: 'user', via: 'key' };
  const depsWith = (openFile: () => Promise<undefined>): StoredFileDeps =>
    ({ jobs: async () => ({ openFile }), ownerOf: () => '1', storage: undefined }) as unknown as StoredFileDeps;
  const scratch = { filePath: () => '/nowhere' } as unknown as Scratch;

  it('is unknown if it is not stored, but not if the store fails', async () => {
    expect(
      await codeOf(
        storedFile(
          depsWith(async () => undefined),
          'abc',
          ann,
          scratch,
        ),
      ),
    ).to.equal('INPUT_FILE_UNKNOWN');
    expect(
      await codeOf(
        storedFile(
          depsWith(() => Promise.reject(new OperationalError('STORE_DOWN'))),
          'abc',
          ann,
          scratch,
        ),
      ),
    ).to.equal('STORE_DOWN');
  });
});
