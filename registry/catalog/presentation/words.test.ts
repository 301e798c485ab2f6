import { expect } from 'chai';
import { wordsOf } from './words.js';

describe('wordsOf', () => {
  it('splits names of fields, paths and values into words of a sentence', () => {
    const labels = {
      pageNumbers: 'Page numbers',
      angle: 'Angle',
      removeXMPMetadata: 'Remove XMP metadata',
      convertPDFToImage: 'Convert PDF to image',
      'pdf-to-single-page': 'PDF to single page',
      'pdf/word': 'PDF word',
      SPLIT_ALL_EXCEPT_FIRST: 'Split all except first',
      LANDSCAPE: 'Landscape',
      byFileName: 'By file name',
      tsaUrl: 'TSA URL',
    };
    for (const [name, label] of Object.entries(labels)) expect(wordsOf(name), name).to.equal(label);
  });

  it('keeps names of formats and sizes', () => {
    for (const name of ['A4', 'AZW3', '2', 'B-LT']) expect(wordsOf(name).replace(' ', '-'), name).to.equal(name);
    expect(wordsOf('jpg')).to.equal('Jpg');
  });
});
