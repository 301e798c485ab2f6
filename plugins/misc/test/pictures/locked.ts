import { createSecurity, encodePermissions } from '@quire/document/file/encryption';
import { pdfBytes, withPdf } from '@quire/document/file/open';

/** The document encrypted with AES-256; with an empty user password anyone can open it. */
export async function locked(pdf: Uint8Array, userPassword: string): Promise<Uint8Array> {
  return withPdf(pdf, {}, (opened) =>
    pdfBytes(opened, {
      security: createSecurity({
        context: opened.document.context,
        scheme: 'AES-256',
        userPassword,
        ownerPassword: 'owner',
        permissions: encodePermissions({}),
      }),
    }),
  );
}
