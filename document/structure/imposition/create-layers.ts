import { type PDFContext, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import { arrayOf, dictOf } from '../../file/objects/index.js';
import { addLayers } from '../layers/add-layers.js';
import type { Sheet } from './sheets.js';

/**
 * Creates the layers that placements name, visible and in order, in addition to the document's own; returns them by
 * name.
 */
export function createLayers(context: PDFContext, sheets: readonly Sheet[]): Map<string, PDFRef> {
  const layers = new Map<string, PDFRef>();
  for (const { placements } of sheets) {
    for (const { layer } of placements) {
      if (layer === undefined || layers.has(layer)) continue;
      layers.set(
        layer,
        context.register(dictOf(context, { Type: PDFName.of('OCG'), Name: PDFHexString.fromText(layer) })),
      );
    }
  }
  if (layers.size === 0) return layers;
  const list = arrayOf(context, layers.values());
  addLayers(
    context,
    dictOf(context, {
      OCGs: list,
      D: dictOf(context, { Name: PDFHexString.fromText('Layers'), Order: arrayOf(context, layers.values()) }),
    }),
  );
  return layers;
}
