import { defineOperation } from '@quire/registry';

export const securityInfo = defineOperation<object>({
  path: 'analysis/security-info',
  name: 'getSecurityInfo',
  since: '0.1.0',
  summary: 'Report encryption and permissions of a PDF',
  title: 'Show protection',
  icon: 'lock-keyhole',
  order: 80,
  keywords: ['encryption', 'permissions', 'password'],
  notes:
    'Flags are true for what is forbidden. Without encryption `isEncrypted` is the only member. A document ' +
    'that needs a password is refused.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => {
      const flag = joi.boolean().required();
      return joi.object({
        isEncrypted: flag.description('The file is encrypted'),
        keyLength: joi.number().integer().description('Bits of the key; only when encrypted').example(128),
        permissions: joi
          .object({
            preventPrinting: flag.description('Printing is forbidden'),
            preventModify: flag.description('Changing the content is forbidden'),
            preventExtractContent: flag.description('Copying text and pictures is forbidden'),
            preventModifyAnnotations: flag.description('Commenting and filling in is forbidden'),
          })
          .description('Only when encrypted'),
      });
    },
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'printing and copying forbidden',
      files: ['restricted.pdf'],
      params: {},
      expect: {
        json: {
          isEncrypted: true,
          keyLength: 128,
          permissions: {
            preventPrinting: true,
            preventModify: false,
            preventExtractContent: true,
            preventModifyAnnotations: false,
          },
        },
      },
    },
    { title: 'not encrypted', files: ['sizes.pdf'], params: {}, expect: { json: { isEncrypted: false } } },
    { title: 'a password is needed', files: ['locked.pdf'], params: {}, expect: { refused: 'PDF_ENCRYPTED' } },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { securityInfo }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/document-facts.js'),
    ]);
    return ctx.json(await look(file.path(), securityInfo));
  },
});
