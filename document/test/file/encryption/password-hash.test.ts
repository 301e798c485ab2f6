import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { withDocument } from '../../../engines/pdfium/index.js';
import { createSecurity, encodePermissions } from '../../../file/encryption/index.js';
import { passwordFault } from '../../../file/passwords/index.js';
import { secretDocument, writeFile } from './support.js';

const permissions = encodePermissions({});
const letters = 'aZ09 ~é€漢😀';

/** A password that readers agree about, of about this many bytes. */
function passwordOf(bytes: number): string {
  for (let text = ''; ;) {
    const longer = text + ([...letters][randomInt(10)] ?? '');
    if (Buffer.byteLength(longer) > bytes) return text === '' ? 'x' : text;
    text = longer;
  }
}

// PDFium's hashes are spared for most results (`inRevision5`): what it does with passwords must be what we do.
describe('The hash of passwords in revision 6', () => {
  it('is that of PDFium for passwords of all lengths and alphabets, of users and owners', async () => {
    for (let length = 1; length <= 127; length += 6) {
      const [userPassword, ownerPassword] = [passwordOf(length), passwordOf(128 - length)];
      expect([passwordFault(userPassword, 256), passwordFault(ownerPassword, 256)]).to.deep.equal([
        undefined,
        undefined,
      ]);
      const context = secretDocument();
      const bytes = writeFile(
        context,
        createSecurity({ context, scheme: 'AES-256', permissions, userPassword, ownerPassword }),
      );
      for (const password of [userPassword, ownerPassword])
        await withDocument(bytes, { password }, (document) =>
          expect([document.securityRevision, document.pageCount], password).to.deep.equal([6, 2]),
        );
    }
  });
});
