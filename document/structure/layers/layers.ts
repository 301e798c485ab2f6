import { type PDFContext, type PDFDict, PDFRef } from 'pdf-lib';
import { asDict, asName, asText, catalogOf, elements, entry } from '../../file/objects/index.js';

/** An optional content group in the document's default configuration (ISO 32000-1, 8.11.4). */
export interface Layer {
  readonly ref: PDFRef;
  readonly name: string;
  readonly shown: boolean;
  readonly locked: boolean;
}

/** Reads the document's layers in stored order. */
export function readLayers(context: PDFContext): Layer[] {
  const catalog = catalogOf(context);
  const properties = asDict(context, catalog === undefined ? undefined : entry(catalog, 'OCProperties'));
  if (properties === undefined) return [];
  const config = asDict(context, entry(properties, 'D'));
  const list = (key: string): ReadonlySet<PDFDict | undefined> =>
    new Set(
      elements(context, config === undefined ? undefined : entry(config, key)).map((item) => asDict(context, item)),
    );
  const [on, off, locked] = [list('ON'), list('OFF'), list('Locked')];
  const hidden = config !== undefined && asName(context, entry(config, 'BaseState')) === 'OFF';
  return elements(context, entry(properties, 'OCGs')).flatMap((ref): Layer[] => {
    const group = asDict(context, ref);
    if (group === undefined || !(ref instanceof PDFRef)) return [];
    return [
      {
        ref,
        name: asText(context, entry(group, 'Name')) ?? '',
        shown: hidden ? on.has(group) : !off.has(group),
        locked: locked.has(group),
      },
    ];
  });
}
