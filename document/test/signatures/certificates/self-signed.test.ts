import { expect } from 'chai';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { certificateFacts } from '../../../signatures/certificates/index.js';
import { selfSigned } from '../../../signatures/certificates/making/index.js';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const from = new Date('2026-01-02T03:04:05Z');
const make = ({ organisation = 'Quire Inc', validityDays = 365 } = {}): Uint8Array =>
  selfSigned({ organisation, validityDays, from, serial: 0xffn, ...pair });

describe('a self-signed certificate', () => {
  it('signs itself, with the subject, validity and serial number asked for', () => {
    const certificate = new X509Certificate(make());
    expect(certificate.verify(pair.publicKey)).to.equal(true);
    expect(certificate.issuer).to.equal(certificate.subject);
    expect(certificate.ca).to.equal(false);
    expect(certificate.subject).to.equal('C=US\nO=Quire Inc\nCN=Quire Inc Server');
    expect(certificate.serialNumber).to.equal('FF');
    expect(new Date(certificate.validTo).toISOString()).to.equal('2027-01-02T03:04:05.000Z');
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.3']);
  });

  it('can be valid beyond 2049, and be of an organisation with any letters', () => {
    const certificate = new X509Certificate(make({ organisation: 'Żółw & Söhne', validityDays: 20_000 }));
    expect(new Date(certificate.validTo).toISOString()).to.equal('2080-10-05T03:04:05.000Z');
    expect(certificate.verify(pair.publicKey)).to.equal(true);
    expect(certificateFacts(certificate.raw).subject).to.equal('CN=Żółw & Söhne Server,O=Żółw & Söhne,C=US');
  });

  it('carries the extensions of a signing certificate, the critical ones marked', async () => {
    const { Certificate } = await import('pkijs');
    const extensions = Certificate.fromBER(new Uint8Array(make())).extensions ?? [];
    expect(extensions.map(({ extnID, critical }) => [extnID, critical])).to.deep.equal([
      ['2.5.29.19', true],
      ['2.5.29.15', true],
      ['2.5.29.37', false],
      ['2.5.29.14', false],
      ['2.5.29.35', false],
    ]);
  });
});
