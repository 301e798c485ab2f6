import { expect } from 'chai';
import { PDFContext, type PDFDict, type PDFRef, PDFString } from 'pdf-lib';
import { asDict, catalogOf, dictOf, elements, entry } from '../../../file/objects/index.js';
import { addLayers } from '../../../structure/layers/add-layers.js';
import { readLayers } from '../../../structure/layers/index.js';

/**
 * Creates a document with layers of these names; those of the second list are listed in the configuration's /ON or
 * /OFF.
 */
function documentWith(
  names: readonly string[],
  base: 'ON' | 'OFF',
  named: readonly string[],
): { context: PDFContext; groups: Record<string, PDFRef> } {
  const context = PDFContext.create();
  const groups = layersIn(context, names);
  const D = {
    BaseState: base,
    [base === 'ON' ? 'OFF' : 'ON']: named.map((name) => groups[name]!),
    Order: names.map((name) => groups[name]!),
  };
  context.trailerInfo.Root = context.register(
    dictOf(context, { OCProperties: context.obj({ OCGs: names.map((name) => groups[name]!), D }) }),
  );
  return { context, groups };
}

function layersIn(context: PDFContext, names: readonly string[]): Record<string, PDFRef> {
  return Object.fromEntries(
    names.map((name) => [name, context.register(context.obj({ Type: 'OCG', Name: PDFString.of(name) }))]),
  );
}

const shown = (context: PDFContext): string =>
  readLayers(context)
    .map((layer) => `${layer.name}${layer.shown ? '+' : '-'}`)
    .join(' ');

describe('addLayers', () => {
  it('keeps their visibility, whatever the base states are', () => {
    for (const own of ['ON', 'OFF'] as const) {
      for (const added of ['ON', 'OFF'] as const) {
        const { context } = documentWith(['a', 'b'], own, ['b']);
        const before = shown(context);
        const groups = layersIn(context, ['x', 'y']);
        addLayers(
          context,
          context.obj({
            OCGs: [groups['x']!, groups['y']!],
            D: {
              BaseState: added,
              [added === 'ON' ? 'OFF' : 'ON']: [groups['y']!],
              Order: [groups['x']!, groups['y']!],
            },
          }) as PDFDict,
        );
        expect(shown(context), `${own} ${added}`).to.equal(`${before} ${added === 'ON' ? 'x+ y-' : 'x- y+'}`);
      }
    }
  });

  it('adds layers to a document without any and joins the intents', () => {
    const context = PDFContext.create();
    context.trailerInfo.Root = context.register(context.obj({}));
    const { x, y } = layersIn(context, ['x', 'y']);
    addLayers(context, context.obj({ OCGs: [x!], D: {} }) as PDFDict);
    addLayers(context, context.obj({ OCGs: [y!], D: { Intent: 'Design' } }) as PDFDict);
    expect(shown(context)).to.equal('x+ y+');
    const properties = asDict(context, entry(catalogOf(context)!, 'OCProperties'));
    const config = asDict(context, entry(properties!, 'D'));
    expect(elements(context, entry(config!, 'Intent')).map(String)).to.deep.equal(['/View', '/Design']);
  });
});
