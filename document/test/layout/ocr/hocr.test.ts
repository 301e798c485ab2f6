import { readHocr, textOfPage } from '@quire/document/layout/ocr';
import { expect } from 'chai';

const page = (inner: string, size = '1000 800'): string =>
  `<?xml version="1.0"?><!DOCTYPE html><html><body><div class='ocr_page' id='page_1' title='image "a;b.png"; ` +
  `bbox 0 0 ${size}; ppageno 0'>${inner}</div></body></html>`;
const word = (box: string, text: string): string =>
  `<span class='ocrx_word' title='bbox ${box}; x_wconf 91'>${text}</span>`;

describe('hOCR', () => {
  it('gives words, lines and paragraphs with what the engine says of them', () => {
    const read = readHocr(
      page(`<div class='ocr_carea'><p class='ocr_par'><span class='ocr_line'
  title="bbox 10 20 300 50; baseline 0.012 -6; x_size 31.5; x_descenders 6; x_ascenders 8">${word('10 20 90 50', 'First')} ${word('100 20 300 50', '<strong>A&amp;B</strong>')}</span></p>
      <p class='ocr_par'><span class='ocr_header'
  title='bbox 10 90 50 400; textangle 90; x_size 40'>${word('10 90 50 400', 'side&#39;s')}</span></p></div>`),
    );
    expect([read.width, read.height, read.paragraphs.length]).to.deep.equal([1000, 800, 2]);
    const [[first], [second]] = read.paragraphs as never as [[{ words: unknown[] }], [{ angle: number }]];
    expect(first).to.deep.equal({
      words: [
        { text: 'First', box: [10, 20, 90, 50], confidence: 91 },
        { text: 'A&B', box: [100, 20, 300, 50], confidence: 91 },
      ],
      box: [10, 20, 300, 50],
      angle: 0,
      slope: 0.012,
      offset: -6,
      size: 31.5,
    });
    expect(second.angle).to.equal(90);
    expect(textOfPage(read)).to.equal("First A&B\n\nside's");
  });

  it('passes over words without text or extent, lines without words, and all pages but the first', () => {
    const line = (words: string): string => `<span class='ocr_line' title='bbox 0 0 9 9'>${words}</span>`;
    const read = readHocr(
      `${page(line(word('0 0 9 9', ' ')) + line(word('5 5 5 9', 'x')) + line(word('0 0 9 9', 'y&#0;&bogus;')))}` +
        `${page(line(word('0 0 9 9', 'other')))}`,
    );
    expect(textOfPage(read)).to.equal('y&bogus;');
    for (const nonsense of [
      '',
      'no markup',
      '<div class="ocr_page">',
      page("<span class='ocr_line' title='bbox a b c d'>"),
    ])
      expect(textOfPage(readHocr(nonsense)), nonsense).to.equal('');
  });
});
