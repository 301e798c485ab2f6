import { expect } from 'chai';
import { PDFName, PDFString } from 'pdf-lib';
import { readLayers } from '../../../structure/layers/index.js';
import { buildPdf, catalogEntry, merged } from '../support.js';

describe('LayersMerge', () => {
  const layered = (name: string, config: Record<string, unknown>): Promise<Uint8Array> =>
    buildPdf((document, context) => {
      const group = context.register(context.obj({ Type: 'OCG', Name: PDFString.of(name) }));
      const lists = Object.fromEntries(
        Object.entries(config).map(([key, value]) => [
          key,
          Array.isArray(value) && value.length === 0 ? context.obj([group]) : value,
        ]),
      ) as Record<string, string>;
      document.catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [group], D: lists }));
    });

  it('keeps visibility and locks in a merge, whatever base states the inputs have', async () => {
    const document = await merged(
      await layered('a', { BaseState: 'OFF', ON: [] }),
      await layered('b', { Locked: [] }),
      await layered('c', { BaseState: 'OFF' }),
      await layered('d', { OFF: [], Intent: 'Design' }),
    );
    expect(readLayers(document.context).map(({ name, shown, locked }) => `${name} ${shown} ${locked}`)).to.deep.equal([
      'a true false',
      'b true true',
      'c false false',
      'd false false',
    ]);
    expect(catalogEntry(document, 'OCProperties', 'D', 'Intent')?.toString()).to.equal('[ /View /Design ]');
  });
});
