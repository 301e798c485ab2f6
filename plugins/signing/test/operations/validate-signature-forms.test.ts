import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addValidationData } from '@quire/document/signatures';
import type { FormFile } from '@quire/plugin-kit';
import { expect } from 'chai';
import { pyhankoPython, verifyWithPyhanko } from '../../../../test/pki/index.js';
import { bare, inBer, withValue } from './signature-forms.js';
import { startValidationServer, type ValidationServer } from './validation-server.js';

/** The containers around the signers, as writers make them that do not know the length in advance. */
const SHALLOW = 1;
const JUNK = Buffer.from('deadbeef00ff', 'hex');
const FORMS: readonly (readonly [title: string, change: (cms: Buffer) => Buffer, warns: boolean])[] = [
  ['as it was written', (cms) => cms, false],
  ['with zeros behind it', (cms) => Buffer.concat([cms, Buffer.alloc(64)]), false],
  ['with other bytes behind it', (cms) => Buffer.concat([cms, JUNK]), true],
  ['in BER', (cms) => inBer(cms, SHALLOW), false],
  ['in BER with zeros behind it', (cms) => Buffer.concat([inBer(cms, SHALLOW), Buffer.alloc(64)]), false],
  ['in BER with other bytes behind it', (cms) => Buffer.concat([inBer(cms, SHALLOW), JUNK]), true],
];
/** pyHanko cannot parse these; EU DSS hashes the DER of the attributes (RFC 5652, 5.4). */
const DEEPER: typeof FORMS = [
  ['whose attributes are in BER', (cms) => inBer(cms, 3), false],
  ['in BER throughout', (cms) => inBer(cms), false],
];

describe('validate-signature of unusual but valid forms, over HTTP', function () {
  this.timeout(120_000);
  let validation: ValidationServer;
  let stamped: FormFile;
  let count = 0;
  before(async () => {
    validation = await startValidationServer();
    stamped = await validation.done('security/timestamp-pdf', validation.plain);
  });
  after(() => validation.stop());

  const file = (bytes: Uint8Array): FormFile => ({ name: 'form.pdf', bytes: new Uint8Array(bytes) });
  const kept = async (bytes: Uint8Array): Promise<string> => {
    const path = join(validation.folder, `form-${count++}.pdf`);
    await writeFile(path, bytes);
    return path;
  };

  for (const kind of ['signature', 'document time stamp'] as const) {
    const source = (): FormFile => (kind === 'signature' ? validation.signed : stamped);

    for (const [title, change, warns] of [...FORMS, ...DEEPER]) {
      it(`accepts a ${kind} ${title}, and refuses it over a changed document`, async () => {
        const bytes = withValue(source().bytes, change);
        const [report] = await validation.reports(file(bytes), validation.rootFile);
        expect(report).to.deep.include({
          valid: true,
          chainValid: true,
          trustValid: true,
          integrity: 'intact',
          errorMessage: null,
          warnings: warns ? ['Other bytes than zeros follow the signature in its place; they are not part of it'] : [],
        });
        const changed = Buffer.from(bytes.toString('latin1').replace('%PDF-1.7', '%PDF-1.6'), 'latin1');
        const [broken] = await validation.reports(file(changed), validation.rootFile);
        expect([broken?.valid, broken?.integrity]).to.deep.equal([false, 'broken']);
      });
    }

    it(`agrees with pyHanko about every form of a ${kind} (skipped where it is not installed)`, async function () {
      if (pyhankoPython() === undefined) return this.skip();
      const paths = await Promise.all(FORMS.map(([, change]) => kept(withValue(source().bytes, change))));
      const verdicts = await verifyWithPyhanko(validation.root.own.certificateFile, paths);
      expect(verdicts.map(([verdict]) => verdict?.good)).to.deep.equal(FORMS.map(() => true));
    });

    it(`accepts a ${kind} whose certificates are only in the document security store, and only with them`, async () => {
      let certificates: readonly Uint8Array[] = [];
      const without = withValue(source().bytes, (cms) => {
        const stripped = bare(cms);
        certificates = stripped.certificates;
        return stripped.cms;
      });
      expect(certificates.length).to.be.greaterThan(0);
      const [alone] = await validation.reports(file(without), validation.rootFile);
      expect([alone?.valid, alone?.trustValid]).to.deep.equal([false, false]);
      const [path, target] = [await kept(without), join(validation.folder, `stored-${count++}.pdf`)];
      // The store may hold other certificates, and things that are none.
      const others = [validation.root.own.certificate, Buffer.from('no certificate')];
      await addValidationData(path, target, { certificates: [...others, ...certificates], ocsp: [], crls: [] });
      const stored = await readFile(target);
      const [report] = await validation.reports(file(stored), validation.rootFile);
      expect(report).to.deep.include({
        valid: true,
        chainValid: true,
        trustValid: true,
        integrity: 'intact',
        errorMessage: null,
        changesSinceSigning: 'allowed',
      });
      const changed = Buffer.from(stored.toString('latin1').replace('%PDF-1.7', '%PDF-1.6'), 'latin1');
      expect((await validation.reports(file(changed), validation.rootFile))[0]?.valid).to.equal(false);
    });
  }
});
