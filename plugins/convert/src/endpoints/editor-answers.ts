import type { JoiRoot } from '@quire/registry';

type Schema = ReturnType<JoiRoot['object']>;
/** Names of members by their type; `texts`, `numbers` and `integers` are lists. */
type Members = Partial<Record<'text' | 'number' | 'integer' | 'flag' | 'texts' | 'numbers' | 'integers', string>>;

/** An object whose members are all optional: nulls and empty lists are left out of the editable document. */
function objectWith(
  joi: JoiRoot,
  members: Members,
  further: Readonly<Record<string, ReturnType<JoiRoot['any']>>> = {},
): Schema {
  const integer = joi.number().integer();
  const types = {
    text: joi.string().allow(''),
    number: joi.number(),
    integer,
    flag: joi.boolean(),
    texts: joi.array().items(joi.string().allow('')),
    numbers: joi.array().items(joi.number()),
    integers: joi.array().items(integer),
  };
  const named = Object.entries(members).flatMap(([type, names]) =>
    names.split(' ').map((name) => [name, types[type as keyof Members]] as const),
  );
  return joi.object({ ...Object.fromEntries(named), ...further });
}

const colour = (joi: JoiRoot) => objectWith(joi, { text: 'colorSpace', numbers: 'components' });
/** `held`: the schema of the objects in its dictionary. */
const stream = (joi: JoiRoot, held: ReturnType<JoiRoot['any']>) =>
  objectWith(joi, { text: 'rawData' }, { dictionary: joi.object().pattern(joi.string(), held) });

/**
 * A PDF object as JSON. A document defines it once; other places refer to it by `ref`, because Joi wants one schema for
 * an id.
 */
function rawObject(joi: JoiRoot): Schema {
  const itself = joi.link('#RawObject');
  return objectWith(
    joi,
    { text: 'ref' },
    {
      type: joi
        .string()
        .valid('NULL', 'BOOLEAN', 'INTEGER', 'FLOAT', 'NAME', 'STRING', 'ARRAY', 'DICTIONARY', 'STREAM'),
      value: joi.alternatives(joi.string().allow(''), joi.number(), joi.boolean()).description('Of strings base64'),
      items: joi.array().items(itself),
      entries: joi.object().pattern(joi.string(), itself),
      stream: stream(joi, itself),
    },
  )
    .id('RawObject')
    .label('RawObject');
}

/** `metadata` of the editable document. */
export function metadataSchema(joi: JoiRoot): Schema {
  return objectWith(joi, {
    text: 'title author subject keywords creator producer creationDate modificationDate trapped',
    integer: 'numberOfPages',
  }).label('EditorMetadata');
}

/** One of `fonts[]`. */
export function fontSchema(joi: JoiRoot, raw = rawObject(joi)): Schema {
  return objectWith(
    joi,
    {
      text:
        'id uid baseName subtype encoding program programFormat webProgram webProgramFormat pdfProgram ' +
        'pdfProgramFormat toUnicode standard14Name',
      integer: 'pageNumber fontDescriptorFlags',
      flag: 'embedded',
      number: 'ascent descent capHeight xHeight italicAngle unitsPerEm',
    },
    {
      cidSystemInfo: objectWith(joi, { text: 'registry ordering', integer: 'supplement' }),
      type3Glyphs: joi.array().items(objectWith(joi, { integer: 'charCode unicode charCodeRaw', text: 'glyphName' })),
      cosDictionary: raw,
    },
  ).label('EditorFont');
}

/** One of `pages[]`; an editing session returns pages without resources and content streams. */
export function pageSchema(joi: JoiRoot, raw = rawObject(joi)): Schema {
  return objectWith(
    joi,
    {
      integer: 'pageNumber rotation structParents',
      number: 'width height userUnit',
      numbers: 'mediaBox cropBox',
      text: 'ref',
    },
    {
      textElements: joi.array().items(
        objectWith(
          joi,
          {
            text: 'text fontId',
            integer: 'zOrder renderingMode',
            flag: 'fallbackUsed',
            integers: 'charCodes',
            numbers: 'textMatrix',
            number:
              'fontSize fontMatrixSize fontSizeInPt characterSpacing wordSpacing spaceWidth horizontalScaling ' +
              'leading rise x y width height',
          },
          { fillColor: colour(joi), strokeColor: colour(joi) },
        ).label('TextElement'),
      ),
      imageElements: joi.array().items(
        objectWith(joi, {
          text: 'id objectName imageData imageFormat',
          flag: 'inlineImage',
          integer: 'nativeWidth nativeHeight zOrder',
          number: 'x y width height left right top bottom',
          numbers: 'transform',
        }).label('ImageElement'),
      ),
      annotations: joi.array().items(
        objectWith(
          joi,
          {
            text: 'subtype contents appearanceState destination iconName subject author creationDate modificationDate',
            integer: 'flags',
            numbers: 'rect color',
          },
          { rawData: raw },
        ).label('EditorAnnotation'),
      ),
      resources: raw,
      contentStreams: joi.array().items(stream(joi, raw)),
      group: raw,
    },
  ).label('EditorPage');
}

/** The whole editable document, as `convert/pdf/text-editor` gives it. */
export function editorDocumentSchema(joi: JoiRoot): Schema {
  const raw = rawObject(joi);
  return objectWith(
    joi,
    { text: 'xmpMetadata', flag: 'lazyImages' },
    {
      metadata: metadataSchema(joi),
      fonts: joi.array().items(fontSchema(joi, raw)),
      pages: joi.array().items(pageSchema(joi, raw)),
      formFields: joi.array().items(
        objectWith(
          joi,
          {
            text: 'name partialName fieldType value defaultValue alternateFieldName mappingName fontName',
            integer: 'flags pageNumber',
            number: 'fontSize',
            flag: 'checked',
            numbers: 'rect',
            texts: 'options',
            integers: 'selectedIndices',
          },
          { rawData: raw },
        ).label('EditorField'),
      ),
      acroForm: raw,
      documentCatalog: raw, // The target of every `ref`.
      sharedObjects: joi.object().pattern(joi.string(), raw),
    },
  ).label('EditorDocument');
}
