import { type PageEntry, pageRotation, userUnit } from '@quire/document/structure/pages';
import { paperSizes } from '@quire/document/structure/paper';
import type { Annotation } from '@quire/document/structure/annotations';
import {
  annotationFacts,
  type Box,
  boxesOf,
  type FontFacts,
  type ImageFacts,
  linkTargets,
  type ResourceFacts,
} from '@quire/document/structure/report';
import type { PDFContext } from 'pdf-lib';
import { type JsonObject, objectOf, type InfoWriter } from './get-info-json.js';

/** Data read from a page, before it is formatted. */
export interface ReadPage {
  readonly page: PageEntry;
  readonly annotations: readonly Annotation[];
  readonly characters: number;
  readonly resources: ResourceFacts | undefined;
}

const INCH = 72;
const CM = 72 / 2.54;
/** Names as the contract spells them. Only upright paper counts. */
const STANDARD = {
  Letter: 'Letter',
  Legal: 'LEGAL',
  A0: 'A0',
  A1: 'A1',
  A2: 'A2',
  A3: 'A3',
  A4: 'A4',
  A5: 'A5',
  A6: 'A6',
} as const;
const TOLERANCE = 1;

/** Returns the member of `PerPageInfo` for a page (`docs/interface/security.yml`, get-info-on-pdf). */
export function pageInfo(
  context: PDFContext,
  { page, annotations, characters, resources }: ReadPage,
  writer: InfoWriter,
): JsonObject {
  const boxes = boxesOf(context, page);
  const unit = userUnit(context, page);
  const [width, height] = [(boxes.media[2] - boxes.media[0]) * unit, (boxes.media[3] - boxes.media[1]) * unit];
  const facts = writer.section('Annotations', { count: 0, withSubtype: 0, withContents: 0, multimedia: [] }, () =>
    annotationFacts(context, annotations),
  );
  const links = writer.section('Links', [], () =>
    linkTargets(context, annotations).map((uri) => ({ URI: writer.text(uri) })),
  );
  return objectOf([
    ['Size', sizeInfo(width, height)],
    ['Rotation', pageRotation(context, page)],
    ['Page Orientation', width > height ? 'Landscape' : width < height ? 'Portrait' : 'Square'],
    ['MediaBox', boxText(boxes.media)],
    ['CropBox', boxText(boxes.crop)],
    ['BleedBox', boxText(boxes.bleed)],
    ['TrimBox', boxText(boxes.trim)],
    ['ArtBox', boxText(boxes.art)],
    ['Text Characters Count', characters],
    [
      'Annotations',
      { AnnotationsCount: facts.count, SubtypeCount: facts.withSubtype, ContentsCount: facts.withContents },
    ],
    [
      'Images',
      resources &&
        writer.section('Images', [], () => resources.images.map(({ name, image }) => imageInfo(name, image, writer))),
    ],
    ['Links', resources === undefined && links.length === 0 ? undefined : links],
    [
      'Fonts',
      resources &&
        writer.section('Fonts', [], () => resources.fonts.map(({ font, count }) => fontInfo(font, count, writer))),
    ],
    [
      'XObjectCounts',
      resources &&
        objectOf(
          Object.entries({
            Image: resources.xobjects.image,
            Form: resources.xobjects.form,
            Other: resources.xobjects.other,
          }).filter(([, count]) => count > 0),
        ),
    ],
    [
      'Multimedia',
      writer.section('Multimedia', [], () =>
        facts.multimedia.map(({ subtype, contents }) => ({
          Subtype: writer.text(subtype),
          Contents: contents === undefined ? null : writer.text(contents),
        })),
      ),
    ],
  ]);
}

function sizeInfo(width: number, height: number): JsonObject {
  const names = Object.entries(STANDARD) as [keyof typeof STANDARD, string][];
  const paper = names.find(
    ([name]) =>
      Math.abs(paperSizes[name][0] - width) <= TOLERANCE && Math.abs(paperSizes[name][1] - height) <= TOLERANCE,
  );
  const sides = (label: string, part: number): [string, string][] => [
    [`Width (${label})`, (width / part).toFixed(2)],
    [`Height (${label})`, (height / part).toFixed(2)],
  ];
  return objectOf([
    ...sides('px', 1),
    ...sides('in', INCH),
    ...sides('cm', CM),
    ['Standard Page', paper?.[1] ?? 'Custom'],
  ]);
}

/** `[0.0,0.0,595.28,841.89]`: every number with a decimal point, rounded to five places. */
function boxText(box: Box): string {
  const number = (value: number): string => {
    const text = String(Number(value.toFixed(5)));
    return /^-?\d+$/.test(text) ? `${text}.0` : text;
  };
  return `[${box.map(number).join(',')}]`;
}

function imageInfo(
  name: string,
  { width, height, colourSpace, bitsPerComponent }: ImageFacts,
  writer: InfoWriter,
): JsonObject {
  return objectOf([
    ['Width', width],
    ['Height', height],
    ['Name', writer.text(name)],
    ['ColorSpace', colourSpace === undefined ? undefined : writer.text(colourSpace)],
    ['BitsPerComponent', bitsPerComponent],
  ]);
}

function fontInfo({ embedded, name, subtype, flags }: FontFacts, count: number, writer: InfoWriter): JsonObject {
  const descriptor =
    flags === undefined
      ? {}
      : {
          ItalicAngle: flags.italicAngle,
          IsItalic: flags.italic,
          IsBold: flags.bold,
          IsFixedPitch: flags.fixedPitch,
          IsSerif: flags.serif,
          IsSymbolic: flags.symbolic,
          IsScript: flags.script,
          IsNonsymbolic: flags.nonsymbolic,
          FontFamily: flags.family === undefined ? null : writer.text(flags.family),
          FontWeight: flags.weight,
        };
  return {
    IsEmbedded: embedded,
    Name: writer.text(name),
    Subtype: writer.text(subtype),
    ...descriptor,
    Count: count,
  };
}
