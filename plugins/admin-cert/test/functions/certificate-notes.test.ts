import { expect } from 'chai';
import type { CertificateFacts } from '@quire/document/signatures/certificates';
import { certificateNotes, isOver } from '../../src/functions/certificate-notes.js';

const now = new Date('2026-06-01T00:00:00Z');
const facts: CertificateFacts = {
  subject: 'CN=A',
  issuer: 'CN=B',
  commonName: 'A',
  issuerCommonName: 'B',
  serialNumber: '1',
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validTo: new Date('2027-01-01T00:00:00Z'),
  version: 3,
  signatureAlgorithm: 'SHA256withRSA',
  keyAlgorithm: 'RSA',
  keySize: 2048,
  curve: null,
  keyUsages: ['Non-Repudiation'],
  extendedKeyUsages: null,
  isAuthority: false,
  selfSigned: false,
  weaknesses: [],
  fingerprint: '',
};

describe('notes on an uploaded certificate', () => {
  it('are none when all is well', () => {
    expect(certificateNotes(facts, now, true)).to.deep.equal([]);
    expect(certificateNotes({ ...facts, keyUsages: [] }, now, true)).to.deep.equal([]);
  });

  it('report what verifiers will object to, and when it begins', () => {
    const notes = certificateNotes(
      {
        ...facts,
        validFrom: new Date('2026-09-01T00:00:00Z'),
        keyUsages: ['Key Encipherment'],
        keySize: 1024,
        signatureAlgorithm: 'SHA1withRSA',
        weaknesses: ['short key', 'broken digest'],
      },
      now,
      false,
    ).join(' ');
    for (const word of ['switched off', '2026-09-01T00:00:00.000Z', 'key usage', 'RSA of 1024 bits', 'SHA1withRSA'])
      expect(notes).to.include(word);
  });

  it('come only while the certificate can be used at all', () => {
    expect([isOver(facts, now), isOver(facts, new Date('2027-01-01T00:00:01Z'))]).to.deep.equal([false, true]);
  });
});
