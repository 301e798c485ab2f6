import { booleanField, defineOperation, integerField, type JoiRoot, shown } from '@quire/registry';
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

/** The permission that each field denies. */
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

/** Encrypts a PDF and sets its permissions (`docs/interface/security.yml`, add-password). */
export const addPassword = defineOperation<AddPasswordParams>({
  path: 'security/add-password',
  since: '0.2.0',
  summary: 'Protect a PDF with a password and permissions',
  title: 'Protect with a password',
  icon: 'lock',
  order: 10,
  keywords: ['encrypt', 'lock', 'restrict', 'aes', 'secure', 'rights', 'drm'],
  groups: [{ id: 'restrictions', title: 'Restrictions' }],
  notes: [
    'With `keyLength` 256 the document is encrypted with AES-256 (revision 6 of the standard security ' +
      'handler), with 128 with AES-128, and with 40 with RC4, which is easy to break and only meant for viewers ' +
      'older than 2001. Without `ownerPassword`, the user password is also the owner password. Without either ' +
      'password the document is still encrypted and anyone can open it, with the restrictions. Viewers enforce ' +
      'restrictions voluntarily: whoever can open a document can also get its content.',
    'Each `prevent` field denies one permission (ISO 32000-1, table 22). With 40 bits, unless a permission is ' +
      'denied that such a key cannot express, viewers treat assembling as modifying, and filling in form fields ' +
      'as annotating. PDF 2.0 viewers always allow extraction for accessibility. Passwords are used exactly as ' +
      'sent, spaces included: up to 127 bytes of UTF-8 with 256 bits, otherwise up to 32 Latin-1 characters. ' +
      'Characters that viewers encode differently (ligatures, joiners) are refused.',
    'A document that opens with the empty password is encrypted again; a locked one must go through ' +
      'remove-password first. PDF/A and PDF/X forbid encryption: a document that declares them loses that ' +
      'declaration (`withdrawn` in `X-Tool-Report`).',
  ].join('\n\n'),
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
        ownerPassword: shown(
          secret(joi, 'Password that gives all permissions; if empty, the user password does').example('owner'),
          { label: 'Password for all permissions', help: 'If empty, it is the password to open.', order: -1 },
        ),
        password: shown(
          secret(joi, 'User password, needed to open the document; if empty, anyone can open it').example(
            'open sesame',
          ),
          { label: 'Password to open', help: 'If empty, anyone can open the document.', order: -1 },
        ),
        keyLength: shown(
          integerField(joi, 'Key length in bits: 256 (AES), 128 (AES) or 40 (RC4, weak)')
            .valid(40, 128, 256)
            .default(256)
            .example(256),
          {
            label: 'Encryption',
            help: '',
            options: { '40': '40 bits (RC4, weak)', '128': '128 bits (AES)', '256': '256 bits (AES)' },
            advanced: true,
          },
        ),
        preventAssembly: shown(
          booleanField(joi, 'Forbid inserting, removing and rotating pages, and creating bookmarks'),
          {
            label: 'Forbid rearranging pages',
            help: 'Inserting, removing and rotating pages, and creating bookmarks.',
            group: 'restrictions',
          },
        ),
        preventExtractContent: shown(booleanField(joi, 'Forbid copying text and images'), {
          label: 'Forbid copying text and images',
          help: '',
          group: 'restrictions',
        }),
        preventExtractForAccessibility: shown(
          booleanField(joi, 'Forbid extracting text for accessibility, such as screen readers'),
          {
            label: 'Forbid extracting for accessibility',
            help: 'For example by screen readers.',
            group: 'restrictions',
          },
        ),
        preventFillInForm: shown(booleanField(joi, 'Forbid filling in form fields'), {
          label: 'Forbid filling in forms',
          help: '',
          group: 'restrictions',
        }),
        preventModify: shown(booleanField(joi, 'Forbid changing the content'), {
          label: 'Forbid changing the content',
          help: '',
          group: 'restrictions',
        }),
        preventModifyAnnotations: shown(booleanField(joi, 'Forbid adding and changing annotations'), {
          label: 'Forbid changing comments',
          help: '',
          group: 'restrictions',
        }),
        preventPrinting: shown(booleanField(joi, 'Forbid printing'), {
          label: 'Forbid printing',
          help: '',
          group: 'restrictions',
        }),
        preventPrintingFaithful: shown(booleanField(joi, 'Forbid printing in high quality'), {
          label: 'Forbid printing in high quality',
          help: '',
          group: 'restrictions',
        }),
        encryptMetadata: shown(
          booleanField(
            joi,
            'If false, the XMP metadata can be read without the password, for example by search engines; not ' +
              'possible with 40 bits',
            true,
          ),
          {
            help: 'Otherwise metadata can be read without the password, for example by search engines.',
            when: { keyLength: [128, 256] },
            advanced: true,
          },
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
          ? fault('encryptMetadata', 'must be true with a 40-bit key, which always encrypts the metadata')
          : value;
      })
      .messages({ lock: '{#label} {#text}' }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a user password',
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
      title: 'restrictions without a password to open',
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
      title: 'refuses an encrypted document',
      files: ['locked.pdf'],
      params: { password: 'another' },
      expect: { refused: 'PDF_ENCRYPTED' },
    },
    {
      title: 'refuses a password that viewers would truncate',
      files: ['rotated-and-cropped.pdf'],
      params: { password: 'p'.repeat(128) },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses another key length',
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

/** A password is never trimmed; its length is limited before any computation uses it. */
function secret(joi: JoiRoot, description: string) {
  return joi.string().allow('').default('').description(description);
}
