import type { JoiRoot } from '@quire/registry';

/** Schema of the result of `get-info-on-pdf` (`docs/interface/security.yml`); members without a value are absent. */
export function infoAnswer(joi: JoiRoot) {
  const integer = joi.number().integer();
  const text = joi.string().allow('');
  const list = (members: Parameters<JoiRoot['object']>[0]) => joi.array().items(joi.object(members));
  const words = [
    'Document Assembly',
    'Extracting Content',
    'Extracting for accessibility',
    'Form Filling',
    'Modifying',
    'Modifying annotations',
    'Printing',
  ];
  const flags = ['IsItalic', 'IsBold', 'IsFixedPitch', 'IsSerif', 'IsSymbolic', 'IsScript', 'IsNonsymbolic'];
  const named = <T>(names: readonly string[], schema: T): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, schema]));
  const page = joi
    .object({
      Size: joi.object({
        ...named(['Width (px)', 'Height (px)', 'Width (in)', 'Height (in)', 'Width (cm)', 'Height (cm)'], text),
        'Standard Page': text,
      }),
      Rotation: integer,
      'Page Orientation': joi.string().valid('Portrait', 'Landscape', 'Square'),
      ...named(['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'], text.description('[x0,y0,x1,y1] in points')),
      'Text Characters Count': integer,
      Annotations: joi.object(named(['AnnotationsCount', 'SubtypeCount', 'ContentsCount'], integer)),
      Images: list({ Width: integer, Height: integer, Name: text, ColorSpace: text, BitsPerComponent: integer }),
      Links: list({ URI: text }),
      Fonts: list({
        IsEmbedded: joi.boolean(),
        Name: text,
        Subtype: text,
        ItalicAngle: joi.number(),
        ...named(flags, joi.boolean()),
        FontFamily: text.allow(null),
        FontWeight: joi.number(),
        Count: integer,
      }),
      XObjectCounts: joi.object(named(['Image', 'Form', 'Other'], integer)),
      Multimedia: list({ Subtype: text, Contents: text.allow(null) }),
    })
    .label('PageInfo');
  return joi
    .object({
      Metadata: joi.object().pattern(joi.string(), text),
      BasicInfo: joi.object({
        ...named(
          [
            'FileSizeInBytes',
            'WordCount',
            'ParagraphCount',
            'CharacterCount',
            'Number of pages',
            'TotalImages',
            'UniqueImages',
          ],
          integer,
        ),
        Language: text,
      }),
      DocumentInfo: joi.object({
        'PDF version': joi.number(),
        Trapped: text.allow(null),
        'Page Mode': joi
          .string()
          .valid('USE_NONE', 'USE_OUTLINES', 'USE_THUMBS', 'FULL_SCREEN', 'USE_OPTIONAL_CONTENT', 'USE_ATTACHMENTS'),
      }),
      Compliancy: joi
        .object({
          ...named(
            [
              'IsPDF/ACompliant',
              'IsPDF/UACompliant',
              'IsPDF/ECompliant',
              'IsPDF/VTCompliant',
              'IsPDF/BCompliant',
              'IsPDF/SECCompliant',
            ],
            joi.boolean(),
          ),
          'PDF/AConformanceLevel': text,
        })
        .unknown(true)
        .description(
          'In addition, one member for each standard that the document declares (`2b`, `ua1`): true if the ' +
            'document conforms to it',
        ),
      Encryption: joi.object({
        IsEncrypted: joi.boolean(),
        EncryptionAlgorithm: text,
        KeyLength: integer,
        Version: integer,
        Revision: integer,
      }),
      Permissions: joi.object(named(words, joi.string().valid('Allowed', 'Not Allowed'))),
      FormFields: joi.object().pattern(joi.string(), text),
      Other: joi.object({
        EmbeddedFiles: list({
          Name: text,
          FileSize: integer.allow(null),
          ...named(['MimeType', 'CreationDate', 'ModificationDate'], text.allow(null)),
        }),
        Attachments: list({ Name: text, Description: text.allow(null), FileSize: integer }),
        JavaScript: list({ 'JS Name': text, 'JS Script Length': integer }),
        Layers: list({ Name: text }),
        'Bookmarks/Outline/TOC': list({ Title: text }),
        XMPMetadata: text.allow(null),
        StructureTree: joi.array().items(
          joi
            .object({ Type: text, Content: text, Children: joi.array().items(joi.link('#StructureElement')) })
            .id('StructureElement')
            .label('StructureElement'),
        ),
      }),
      PerPageInfo: joi.object().pattern(joi.string(), page),
      SummaryData: joi.object({
        encrypted: joi.boolean(),
        restrictedPermissions: joi.array().items(joi.string()),
        restrictedPermissionsCount: integer,
        Compliance: list({ Standard: text, Compliant: joi.boolean(), Summary: text }),
      }),
    })
    .label('DocumentInfo');
}
