/*
 * The editable document (`docs/interface/convert.yml`, pdf/text-editor). Coordinates are points from the lower left
 * corner of the unrotated page as shown (its crop box, times /UserUnit). All members may be left out.
 */

/** Kinds of objects (ISO 32000-1, 7.3). */
export type RawType = 'NULL' | 'BOOLEAN' | 'INTEGER' | 'FLOAT' | 'NAME' | 'STRING' | 'ARRAY' | 'DICTIONARY' | 'STREAM';

/** A stream: its dictionary, and its data as it is packed, base64. */
export interface RawStream {
  readonly dictionary?: Readonly<Record<string, RawObject>>;
  readonly rawData?: string;
}

/** A PDF object. A string's value is base64. */
export interface RawObject {
  readonly type: RawType;
  readonly value?: string | number | boolean;
  readonly items?: readonly RawObject[];
  readonly entries?: Readonly<Record<string, RawObject>>;
  readonly stream?: RawStream;
  /**
   * Name of an indirect object: objects with one name are one object. A name without content (a cycle, a page, a large
   * object exported before) refers to the content at another place with the name, or in `sharedObjects` of the
   * document.
   */
  readonly ref?: string;
}

/** A colour in a space: a device space by name, else the family of the space (`ICCBased`, `Separation`, `Pattern`). */
export interface JsonColour {
  readonly colorSpace?: string;
  readonly components?: readonly number[];
}

/** Text of one show operator. */
export interface TextElement {
  readonly text?: string;
  readonly fontId?: string;
  /** The size that the content sets, in text space. */
  readonly fontSize?: number;
  /** The size as it is seen, in points. */
  readonly fontMatrixSize?: number;
  readonly fontSizeInPt?: number;
  readonly characterSpacing?: number;
  readonly wordSpacing?: number;
  /** Width of a blank in points. */
  readonly spaceWidth?: number;
  /** Place in the order of painting, among texts and images. */
  readonly zOrder?: number;
  /** In per cent. */
  readonly horizontalScaling?: number;
  readonly leading?: number;
  readonly rise?: number;
  /** Origin of the first glyph. */
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  /** From text space, in which the font has its size, to the page. */
  readonly textMatrix?: readonly number[];
  readonly fillColor?: JsonColour;
  readonly strokeColor?: JsonColour;
  readonly renderingMode?: number;
  /** True where the font is not embedded, so that what is shown is another one. */
  readonly fallbackUsed?: boolean;
  readonly charCodes?: readonly number[];
}

/** An image drawn on the page. */
export interface ImageElement {
  readonly id?: string;
  /** Its name in the resources of the content that draws it. */
  readonly objectName?: string;
  readonly inlineImage?: boolean;
  readonly nativeWidth?: number;
  readonly nativeHeight?: number;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly left?: number;
  readonly right?: number;
  readonly top?: number;
  readonly bottom?: number;
  /** From the unit square to the page. */
  readonly transform?: readonly number[];
  readonly zOrder?: number;
  readonly imageData?: string;
  readonly imageFormat?: string;
}

/** An annotation (ISO 32000-1, 12.5). */
export interface JsonAnnotation {
  readonly subtype?: string;
  readonly contents?: string;
  readonly rect?: readonly number[];
  readonly appearanceState?: string;
  readonly color?: readonly number[];
  readonly flags?: number;
  /** Where a link leads: an address, or `#page=<n>`. */
  readonly destination?: string;
  readonly iconName?: string;
  readonly subject?: string;
  readonly author?: string;
  readonly creationDate?: string;
  readonly modificationDate?: string;
  readonly rawData?: RawObject;
}

/** A page. `ref`, the boxes and the unit are additions to the interface. */
export interface JsonPage {
  readonly pageNumber?: number;
  readonly width?: number;
  readonly height?: number;
  readonly rotation?: number;
  readonly textElements?: readonly TextElement[];
  readonly imageElements?: readonly ImageElement[];
  readonly annotations?: readonly JsonAnnotation[];
  readonly resources?: RawObject;
  readonly contentStreams?: readonly RawStream[];
  readonly ref?: string;
  readonly mediaBox?: readonly number[];
  readonly cropBox?: readonly number[];
  readonly userUnit?: number;
  /** /Group of the page: how its transparency is blended. */
  readonly group?: RawObject;
  /** /StructParents of the page: its key in the structure tree. */
  readonly structParents?: number;
}

/** A glyph of a Type 3 font. */
export interface Type3Glyph {
  readonly charCode?: number;
  readonly glyphName?: string;
  readonly unicode?: number;
  readonly charCodeRaw?: number;
}

/** A font. */
export interface JsonFont {
  readonly id?: string;
  readonly pageNumber?: number;
  readonly uid?: string;
  readonly baseName?: string;
  readonly subtype?: string;
  readonly encoding?: string;
  readonly cidSystemInfo?: { readonly registry?: string; readonly ordering?: string; readonly supplement?: number };
  readonly embedded?: boolean;
  readonly program?: string;
  readonly programFormat?: string;
  readonly webProgram?: string;
  readonly webProgramFormat?: string;
  readonly pdfProgram?: string;
  readonly pdfProgramFormat?: string;
  readonly type3Glyphs?: readonly Type3Glyph[];
  readonly toUnicode?: string;
  readonly standard14Name?: string;
  readonly fontDescriptorFlags?: number;
  readonly ascent?: number;
  readonly descent?: number;
  readonly capHeight?: number;
  readonly xHeight?: number;
  readonly italicAngle?: number;
  readonly unitsPerEm?: number;
  readonly cosDictionary?: RawObject;
}

/** A form field that holds a value. */
export interface JsonField {
  readonly name?: string;
  readonly partialName?: string;
  readonly fieldType?: string;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly flags?: number;
  readonly alternateFieldName?: string;
  readonly mappingName?: string;
  readonly pageNumber?: number;
  readonly rect?: readonly number[];
  readonly options?: readonly string[];
  readonly selectedIndices?: readonly number[];
  readonly checked?: boolean;
  readonly fontName?: string;
  readonly fontSize?: number;
  readonly rawData?: RawObject;
}

/** The information dictionary (ISO 32000-1, table 317). Dates are in ISO 8601. */
export interface JsonMetadata {
  readonly title?: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords?: string;
  readonly creator?: string;
  readonly producer?: string;
  readonly creationDate?: string;
  readonly modificationDate?: string;
  readonly trapped?: string;
  readonly numberOfPages?: number;
}

/** Size of a page of an editing session. */
export interface PageDimension {
  readonly pageNumber: number;
  readonly width: number;
  readonly height: number;
  readonly rotation?: number;
}
