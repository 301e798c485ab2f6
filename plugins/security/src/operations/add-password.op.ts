import { booleanField, defineOperation, integerField, type JoiRoot } from '@quire/registry';
import { passwordFault } from '@quire/document/file/passwords';
import type { Permission } from '@quire/document/file/encryption';

interface AddPasswordParams {
  ownerPassword: string;
  password: string;
  keyLength: number;
  preventAssembly: boolean;
  preventExtractContent: boolean;
  preventExtractForAccessibility: boolean;
  preventFillInForm: boolean;
  preventModify: boolean;
  preventModifyAnnotations: boolean;
  preventPrinting: boolean;
  preventPrintingFaithful: boolean;
  encryptMetadata: boolean;
}

/** The right that each field withholds. */
const rights = {
  preventAssembly: 'assemble',
  preventExtractContent: 'copy',
  preventExtractForAccessibility: 'accessibility',
  preventFillInForm: 'fillForms',
  preventModify: 'modify',
  preventModifyAnnotations: 'annotate',
  preventPrinting: 'print',
  preventPrintingFaithful: 'printHighQuality',
} as const satisfies Partial<Record<keyof AddPasswordParams, Permission>>;

/** Encrypts a PDF and sets what its users may do (`docs/interface/security.yml`, add-password). */
export const addPassword = defineOperation<AddPasswordParams>({
  path: 'security/add-password',
  since: '0.2.0',
  summary: 'Encrypt a PDF and restrict what it may be used for',
  notes:
    'With `keyLength` 256 the document is encrypted with AES-256 (revision 6 of the standard security handler), also where no password is set; with 128 with AES-128, with ' +
    "40 with RC4, which keeps out nobody who tries and is there for readers older than 2001. Without `ownerPassword` the user password is the owner's, too. Without either " +
    'the document opens for everybody, and carries the restrictions. Those are requests that readers keep: whoever can open a document can have its content.\n\n' +
    'Each `prevent` field takes away one right (ISO 32000-1, table 22). With 40 bits and none but printing, modifying, extracting and annotating restricted, readers count ' +
    'assembling to modifying, and form fields to annotating. PDF 2.0 readers always let extract for accessibility. Passwords are taken as they are, blanks included: with 256 ' +
    'bits up to 127 bytes of UTF-8, else up to 32 characters of Latin 1. What readers encode differently (ligatures, joiners) is refused.\n\n' +
    'A document that opens with the empty password is encrypted anew; a locked one must go through remove-password first. PDF/A and PDF/X forbid encryption: a document that ' +
    'claims to be such claims it no longer (`withdrawn` in `X-Tool-Report`).',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_passworded',
    nameWhen: { when: { password: '', ownerPassword: '' }, name: '{base}_permissions' },
    pages: 'same',
  },
  writes: 'rewrite',
  passwords: { result: 'password' },
  params: (joi) =>
    joi
      .object<AddPasswordParams, true>({
        ownerPassword: secret(joi, 'Password that gives all rights; empty for that of the user').example('owner'),
        password: secret(joi, 'Password that is asked for when the document is opened; empty for none').example(
          'open sesame',
        ),
        keyLength: integerField(joi, 'Length of the key in bits: 256 (AES), 128 (AES) or 40 (RC4, weak)')
          .valid(40, 128, 256)
          .default(256)
          .example(256),
        preventAssembly: booleanField(joi, 'Forbid inserting, removing and turning pages, and making bookmarks'),
        preventExtractContent: booleanField(joi, 'Forbid copying text and pictures'),
        preventExtractForAccessibility: booleanField(joi, 'Forbid extracting text for people who cannot read it'),
        preventFillInForm: booleanField(joi, 'Forbid filling in form fields'),
        preventModify: booleanField(joi, 'Forbid changing the content'),
        preventModifyAnnotations: booleanField(joi, 'Forbid adding and changing annotations'),
        preventPrinting: booleanField(joi, 'Forbid printing'),
        preventPrintingFaithful: booleanField(joi, 'Forbid printing in full quality'),
        encryptMetadata: booleanField(
          joi,
          'false leaves the XMP metadata readable without the password, for search engines; not with 40 bits',
          true,
        ),
      })
      .custom((value: AddPasswordParams, helpers) => {
        const fault = (field: keyof AddPasswordParams, text: string) =>
          helpers.error('lock', { text }, helpers.state.localize?.([...(helpers.state.path ?? []), field]));
        for (const field of ['password', 'ownerPassword'] as const) {
          const text = passwordFault(value[field], value.keyLength);
          if (text !== undefined) return fault(field, text);
        }
        return value.keyLength === 40 && !value.encryptMetadata
          ? fault('encryptMetadata', 'must be true with a key of 40 bits, which has no means for less')
          : value;
      })
      .messages({ lock: '{#label} {#text}' }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a password to open it',
      files: ['rotated-and-cropped.pdf'],
      params: { password: 'open sesame' },
      expect: { pages: [3], names: ['rotated-and-cropped_passworded.pdf'] },
    },
    {
      title: 'restrictions that only the owner can lift',
      files: ['restricted.pdf'],
      params: { ownerPassword: 'owner', preventPrinting: true, preventModify: true },
      expect: { pages: [1], names: ['restricted_passworded.pdf'] },
    },
    {
      title: 'restrictions alone',
      files: ['rotated-and-cropped.pdf'],
      params: { preventExtractContent: true },
      expect: { pages: [3], names: ['rotated-and-cropped_permissions.pdf'] },
    },
    {
      title: 'AES-128, with metadata that search engines can read',
      files: ['rotated-and-cropped.pdf'],
      params: { password: 'pässwörd', keyLength: 128, encryptMetadata: false },
      expect: { pages: [3] },
    },
    {
      title: 'refuses a document that is locked',
      files: ['locked.pdf'],
      params: { password: 'another' },
      expect: { refused: 'PDF_ENCRYPTED' },
    },
    {
      title: 'refuses a password that readers would cut',
      files: ['rotated-and-cropped.pdf'],
      params: { password: 'p'.repeat(128) },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses another length of the key',
      files: ['rotated-and-cropped.pdf'],
      params: { password: 'secret', keyLength: 192 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const { lockFile } = await import('../functions/lock-pdf.js');
    const target = `${await ctx.folder()}/locked.pdf`;
    const { withdrawn } = await lockFile(file.path(), target, {
      userPassword: params.password,
      ownerPassword: params.ownerPassword,
      keyBits: params.keyLength as 256,
      withheld: Object.entries(rights).flatMap(([field, right]) =>
        params[field as keyof typeof rights] ? [right] : [],
      ),
      encryptMetadata: params.encryptMetadata,
    });
    if (withdrawn.length > 0) ctx.report({ withdrawn: withdrawn.join(', ') });
    return [await ctx.adopt(file, target)];
  },
});

/** A password: never trimmed, and bounded before anything is reckoned with it. */
function secret(joi: JoiRoot, description: string) {
  return joi.string().allow('').default('').description(description);
}
