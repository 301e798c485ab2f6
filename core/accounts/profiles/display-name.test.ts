import { expect } from 'chai';
import { displayNameOf } from './display-name.js';

describe('A display name', () => {
  it('keeps names as people write them', () => {
    for (const name of ['Ada Lovelace', 'Zoë O’Neill-Šmíd', '山田 太郎', 'محمد علی', 'Dr. Ada (PDF) 👩‍💻', 'می‌خواهم'])
      expect(displayNameOf(name)).to.equal(name);
  });

  it('composes letters, so that one name is one text', () => {
    expect(displayNameOf('Zoe\u0308')).to.equal('Zo\u00eb');
  });

  it('has one line, without control characters', () => {
    expect(displayNameOf('  Ada\r\nBcc: all@example.org\t\u2028x\u0000\u001b[31m ')).to.equal(
      'Ada Bcc: all@example.org x[31m',
    );
  });

  it('turns no text around it, and hides nothing', () => {
    const turned = ['\u202e', '\u202d', '\u2066', '\u2067', '\u2068', '\u2069', '\u200e', '\u200f', '\u061c'];
    const hidden = ['\u200b', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u{e0041}', '\ud800', '\ue000'];
    for (const sign of [...turned, ...hidden])
      expect(displayNameOf(`ad${sign}min`), sign.codePointAt(0)?.toString(16)).to.equal('admin');
  });

  it('does not grow out of its line', () => {
    const name = displayNameOf(`Z${'\u0335'.repeat(300)}algo`) ?? '';
    expect(name).to.equal(`Z${'\u0335'.repeat(4)}algo`);
  });

  it('has at most 100 characters, and is never cut inside of one', () => {
    expect(displayNameOf('x'.repeat(5000))).to.have.length(100);
    expect([...(displayNameOf('🇨🇭'.repeat(200)) ?? '')]).to.have.length(200);
  });

  it('is none where nothing can be read', () => {
    for (const nothing of ['', '   ', '\u200b\u202e', '\u200d', '…', '---', 7, null, undefined, ['Ada']])
      expect(displayNameOf(nothing), String(nothing)).to.equal(undefined);
  });
});
