import { beginsLike, kindOfName, sniffKind } from '@quire/registry';
import { expect } from 'chai';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('File kind', () => {
  it('follows from the first bytes, whatever the name', () => {
    expect(sniffKind(bytes('%PDF-1.7\n'), 'picture.png')).to.equal('pdf');
    expect(sniffKind(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'document.pdf')).to.equal('png');
  });

  it('is PDF even with other data before the header', () => {
    expect(sniffKind(bytes(`${'x'.repeat(900)}%PDF-1.4`), 'a')).to.equal('pdf');
  });

  it('follows from the name among formats that share a container', () => {
    const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]);
    expect(sniffKind(zip, 'a.docx')).to.equal('docx');
    expect(sniffKind(zip, 'a.zip')).to.equal('zip');
    expect(sniffKind(zip, 'a.bin')).to.equal('zip');
  });

  it('is an Outlook message even under the name of an internet mail', () => {
    const ole = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    expect([sniffKind(ole, 'a.eml'), sniffKind(ole, 'a.msg'), sniffKind(ole, 'a.xls')]).to.deep.equal([
      'msg',
      'msg',
      'xls',
    ]);
    expect([
      sniffKind(bytes('From: a@b.example'), 'a.eml'),
      sniffKind(bytes('From: a@b.example'), 'a.msg'),
    ]).to.deep.equal(['eml', 'msg']);
  });

  it('follows from the name when the bytes have no signature', () => {
    expect(sniffKind(bytes('hello'), 'a.txt')).to.equal('txt');
    expect(sniffKind(bytes('hello'), 'a.pdf')).to.equal('pdf');
    expect(sniffKind(bytes('hello'), 'hello')).to.equal(undefined);
  });

  it('is SVG by its first element, whatever the name', () => {
    const head = (text: string): Uint8Array => new TextEncoder().encode(text);
    for (const text of [
      '<svg/>',
      '\ufeff<svg xmlns="x">',
      '<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY n "v">]>\n<svg:svg width="1">',
    ]) {
      expect(sniffKind(head(text), 'picture.png'), text).to.equal('svg');
    }
    for (const text of [
      '<html><svg/></html>',
      '<svgs/>',
      '<!DOCTYPE html><svg/>',
      'a <svg/>',
      `<!--${'-'.repeat(1000)}`,
    ])
      expect(sniffKind(head(text), 'page.html'), text).to.equal('html');
  });

  it('is not a bitmap just because a text begins with BM', () => {
    expect(sniffKind(bytes('BMW is a car'), 'a.txt')).to.equal('txt');
  });

  it('does not follow from a name that contradicts the bytes', () => {
    expect(beginsLike(bytes('<html>'), 'pdf')).to.equal(false);
    expect(beginsLike(bytes('%PDF-1.7'), 'pdf')).to.equal(true);
    expect(beginsLike(bytes('a,b'), 'csv')).to.equal(true);
  });

  it('follows from extensions in any letter case', () => {
    expect(kindOfName('A.JPG')).to.equal('jpeg');
    expect(kindOfName('none')).to.equal(undefined);
  });

  it('is zip for a zip with an unknown name, and a Word document for such a compound file', () => {
    expect([
      sniffKind(Buffer.from('504b0304', 'hex'), 'renamed.cbr'),
      sniffKind(Buffer.from('504b0304', 'hex'), 'x.xps'),
      sniffKind(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'x'),
    ]).to.deep.equal(['zip', 'xps', 'doc']);
  });
});
