import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef, PDFStream } from 'pdf-lib';
import { readClaims } from '../../structure/metadata/index.js';
import { asDict, asName, asNumber, entry, resolve } from '../objects/index.js';

const [RESOURCES, OBJECT_REFERENCE] = [PDFName.of('Resources'), PDFName.of('OBJR')] as const;

/** Where the images of a document may become forms of several images. */
export interface ImageUses {
  /** True for an image that only content draws, by a name of its resources. */
  readonly isOnlyDrawn: (ref: PDFRef) => boolean;
  /** True where something may be drawn with opacity or a blend mode, so that layers have to be drawn as a group. */
  readonly transparent: boolean;
  readonly claims: ReadonlySet<string>;
}

/** Finds out how a document uses its objects. */
export function findImageUses(context: PDFContext): ImageUses {
  const all = [...context.enumerateIndirectObjects().map(([, object]) => object), context.trailerInfo.Root];
  const named = namedByResources(context, all);
  const otherwise = new Set<string>();
  let transparent = false;
  for (const root of all)
    eachContainer(root, (container) => {
      if (container instanceof PDFDict && isTransparent(context, container)) transparent = true;
      if (named.has(container)) return;
      // A structure element may refer to what a name draws, whatever it is (ISO 32000-1, 14.7.4.3).
      if (container instanceof PDFDict && container.get(PDFName.of('Type')) === OBJECT_REFERENCE) return;
      for (const value of valuesOf(container)) if (value instanceof PDFRef) otherwise.add(value.tag);
    });
  const isOnlyDrawn = (ref: PDFRef): boolean => !otherwise.has(ref.tag);
  return { isOnlyDrawn, transparent, claims: new Set(readClaims(context).keys()) };
}

/**
 * The dictionaries of names of XObjects, but those beside default colour spaces: these count for the images of the
 * content, and would not for those of a form (ISO 32000-1, 8.6.5.6).
 */
function namedByResources(context: PDFContext, all: readonly (PDFObject | undefined)[]): ReadonlySet<PDFObject> {
  const [named, excluded] = [new Set<PDFObject>(), new Set<PDFObject>()];
  for (const root of all)
    eachContainer(root, (container) => {
      const resources = container instanceof PDFDict ? asDict(context, container.get(RESOURCES)) : undefined;
      const names = resources === undefined ? undefined : asDict(context, entry(resources, 'XObject'));
      if (resources === undefined || names === undefined) return;
      const spaces = asDict(context, entry(resources, 'ColorSpace'));
      const replaces = ['DefaultGray', 'DefaultRGB'].some((name) => spaces?.has(PDFName.of(name)) === true);
      (replaces ? excluded : named).add(names);
    });
  return new Set([...named].filter((names) => !excluded.has(names)));
}

function isTransparent(context: PDFContext, dict: PDFDict): boolean {
  const mode = asName(context, entry(dict, 'BM'));
  const opacity = asNumber(context, entry(dict, 'ca'));
  return (
    (dict.has(PDFName.of('BM')) && mode !== 'Normal' && mode !== 'Compatible') ||
    (opacity !== undefined && opacity !== 1) ||
    // The soft mask of a graphics state; that of an image is a stream.
    resolve(context, entry(dict, 'SMask')) instanceof PDFDict
  );
}

type Container = PDFDict | PDFArray;

/** Calls back for an object and the direct dictionaries and arrays in it. */
function eachContainer(root: PDFObject | undefined, visit: (container: Container) => void): void {
  const waiting = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    const container = next instanceof PDFStream ? next.dict : next;
    if (!(container instanceof PDFDict || container instanceof PDFArray)) continue;
    visit(container);
    for (const value of valuesOf(container)) waiting.push(value);
  }
}

function valuesOf(container: Container): readonly PDFObject[] {
  return container instanceof PDFDict ? container.values() : container.asArray();
}
