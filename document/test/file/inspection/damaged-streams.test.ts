import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { inspectPdf } from '../../../file/inspection/index.js';
import { crossReferenceStream, latin1, layOut, type Place, streamText, TWO_PAGES } from '../reader/support.js';

describe('Damage of a cross-reference stream or an object stream', () => {
  const packed = (change: (data: Buffer) => void): string => {
    const inner = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>'];
    const head = `1 0 2 ${(inner[0]?.length ?? 0) + 1} `;
    const data = deflateSync(latin1(head + inner.join(' ')));
    change(data);
    return streamText(`/Type/ObjStm/N 2/First ${head.length}/Filter/FlateDecode`, data);
  };
  const file = (change: (section: string) => string = (text) => text, damage: (data: Buffer) => void = () => {}) => {
    const { text, places } = layOut({ 3: TWO_PAGES[3] ?? '', 4: TWO_PAGES[4] ?? '', 5: packed(damage) });
    const all = new Map<number, Place>([...places, [1, [5, 0]], [2, [5, 1]], [6, text.length]]);
    const section = crossReferenceStream(6, all, '/Size 7/Root 1 0 R', 0);
    return latin1(`${text}${change(section)}startxref\n${text.length}\n%%EOF`);
  };
  /** Gives the compressed rows another content. */
  const rows = (section: string, change: (data: Buffer) => Buffer): string => {
    const [, before = '', data = '', after = ''] = /^([^]*stream\n)([^]*)(\nendstream[^]*)$/.exec(section) ?? [];
    const changed = change(Buffer.from(data, 'latin1'));
    return before.replace(/Length \d+/, `Length ${changed.length}`) + changed.toString('latin1') + after;
  };
  const damage = async (bytes: Uint8Array) => (await inspectPdf({ bytes }, { findDamage: true })).damage;

  it('is not announced for sound files', async () => {
    expect(await damage(file())).to.equal(undefined);
  });

  it('is announced when the rows do not decode, and the objects are found by scanning', async () => {
    const bytes = file((section) =>
      rows(section, (data) => {
        data[data.length - 1] = (data.at(-1) ?? 0) ^ 0xff;
        return data;
      }),
    );
    expect((await damage(bytes))?.repaired).to.deep.equal([
      'The cross-reference is missing or unreadable; the objects were found by scanning the file.',
    ]);
  });

  it('is announced when a row has a type that does not exist', async () => {
    const bytes = file((section) =>
      rows(section, (data) => {
        const plain = inflateSync(data);
        plain[plain.length - 5] = 127;
        return deflateSync(plain);
      }),
    );
    expect((await damage(bytes))?.repaired.join(' ')).to.contain('broken and only partly readable');
  });

  it('is announced when the stream has another type', async () => {
    const bytes = file((section) => section.replace('/Type/XRef', '/Type/XRe-'));
    expect((await damage(bytes))?.repaired.join(' ')).to.contain('broken and only partly readable');
  });

  it('is announced when an object stream contradicts its checksum', async () => {
    const bytes = file(undefined, (data) => {
      data[data.length - 1] = (data.at(-1) ?? 0) ^ 0xff;
    });
    expect((await damage(bytes))?.repaired.join(' ')).to.contain('broken and only partly readable');
  });
});

describe('Damage of a stream with a predictor', () => {
  const damage = async (parameters: string) => {
    const content = streamText(
      `/Filter/FlateDecode/DecodeParms<</Predictor 2${parameters}>>`,
      deflateSync(latin1('q Q')),
    );
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>';
    const tree = { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Count 1/Kids[3 0 R]>>' };
    const { text, places } = layOut({ ...tree, 3: page, 4: content });
    const section = crossReferenceStream(
      5,
      new Map<number, Place>([...places, [5, text.length]]),
      '/Size 6/Root 1 0 R',
      0,
    );
    const bytes = latin1(`${text}${section}startxref\n${text.length}\n%%EOF`);
    return (await inspectPdf({ bytes }, { findDamage: true })).damage;
  };

  it('is announced when its rows are impossible or longer than readers can count', async () => {
    for (const parameters of ['/Colors 536870913', '/Colors 0', '/BitsPerComponent 3', '/Columns -1'])
      expect((await damage(parameters))?.lost, parameters).to.deep.equal([
        'The content of page 1 of 1 is missing or damaged.',
      ]);
    expect(await damage('/Colors 1/BitsPerComponent 8/Columns 3')).to.equal(undefined);
  });
});
