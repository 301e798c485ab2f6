import { expect } from 'chai';
import { pdfDocEncodingDecode } from 'pdf-lib';
import { encodeModern, encodePdfDoc, passwordFault } from '../../../file/passwords/index.js';

describe('PDFDocEncoding', () => {
  it('has the characters of the standard', () => {
    expect(Buffer.from(encodePdfDoc('Aä€•ž˘˜ÿ') ?? []).toString('hex')).to.equal('41e4a0809e181fff');
    // pdf-lib reads 0x16 as U+0017; the standard keeps both codes.
    for (let code = 0x18; code < 256; code++) {
      const character = pdfDocEncodingDecode(Uint8Array.of(code));
      if (character !== '\ufffd') expect(encodePdfDoc(character), character).to.deep.equal(Uint8Array.of(code));
    }
  });

  it('has no others', () => {
    for (const text of ['п', '😀', '\u007f', '\u00ad', '\u009f', '\ufffd', 'a\u0308'])
      expect(encodePdfDoc(text), text).to.equal(undefined);
  });
});

describe('A password for a document', () => {
  it('may be anything that people type, including blanks', () => {
    for (const password of [
      '',
      'a',
      ' a ',
      'pässwörd',
      'пароль',
      '密码',
      '😀🎉',
      'سر1',
      '€',
      'p'.repeat(127),
      'ü'.repeat(63),
    ])
      expect(passwordFault(password, 256), password).to.equal(undefined);
    for (const password of ['', ' a ', 'pässwörd', 'ÿ', 'ü'.repeat(32)])
      for (const bits of [40, 128]) expect(passwordFault(password, bits), password).to.equal(undefined);
  });

  it('is never truncated: a password that readers would truncate is too long', () => {
    for (const password of [
      'p'.repeat(128),
      'ü'.repeat(64),
      'p'.repeat(10_000),
      'ü'.repeat(1_000_000),
      '\u00ad'.repeat(1025),
    ])
      expect(passwordFault(password, 256)).to.equal('must be at most 127 bytes long in UTF-8');
    for (const bits of [40, 128])
      for (const password of ['p'.repeat(33), 'p'.repeat(10_000)])
        expect(passwordFault(password, bits)).to.match(
          /^must be at most 32 characters long .* 256 bits allows 127 bytes of UTF-8$/,
        );
  });

  it('must consist of characters that readers can encode', () => {
    for (const bits of [40, 128, 256])
      for (const password of ['a\tb', 'a\n', '\u0000', 'a\ud800', '\u0085'])
        expect(passwordFault(password, bits)).to.match(/control characters/);
    for (const bits of [40, 128])
      for (const password of ['пароль', '😀', 'a\u00ad', '€', '˘'])
        expect(passwordFault(password, bits), password).to.match(/Latin 1.*256 bits allows any/);
  });

  it('must be the same with and without SASLprep, since readers differ', () => {
    const changing = ['👩‍💻', '❤️', 'ﬁn', 'm²', 'a\u0308', 'Ａ', 'a\u00ada', '\u00ad\u200d', 'a\u00a0b'];
    for (const password of changing) expect(passwordFault(password, 256), password).to.match(/RFC 4013/);
  });

  it('is used unchanged where RFC 4013 forbids its mixed directions', () => {
    expect(Buffer.from(encodeModern('سر1')).toString()).to.equal('سر1');
    expect(Buffer.from(encodeModern('\u2168')).toString()).to.equal('IX');
  });
});
