import {
  type DocumentFile,
  type JoiRoot,
  type OfficeExport,
  type OutputFile,
  type RunContext,
  shown,
  tokens,
} from '@quire/registry';

import { warnOfNoText } from './text-warning.js';

/** The field that chooses the format of an office document, with a label for each. */
export function officeFormatField(joi: JoiRoot, labels: Readonly<Record<string, string>>, byDefault: string) {
  const field = joi
    .string()
    .trim()
    .lowercase()
    .empty('')
    .valid(...Object.keys(labels))
    .default(byDefault)
    .description('Format of the result')
    .example(byDefault);
  return shown(field, { label: 'Format', help: '', options: labels });
}

/** Codes of a PDF that cannot be read, or of a document that LibreOffice cannot convert. */
export const officeErrors = [
  'PDF_ENCRYPTED',
  'PDF_ENCRYPTION_UNSUPPORTED',
  'PDF_DAMAGED',
  'PDF_NO_PAGES',
  'OFFICE_UNREADABLE',
] as const;

/** How an operation writes the document itself, in the format that needs no program. */
export interface OwnDocument {
  /** File name in the folder of the run. */
  readonly name: string;
  readonly write: (
    source: string,
    target: string,
    options: {
      readonly signal: AbortSignal;
      readonly progress: (done: number, total: number) => void;
      readonly withoutText: () => void;
    },
  ) => Promise<unknown>;
}

/** Writes a document, and has LibreOffice convert it if another format than its own is asked for. */
export async function runToOffice(
  file: DocumentFile,
  format: Parameters<OfficeExport['convert']>[0],
  { name, write }: OwnDocument,
  ctx: RunContext,
): Promise<readonly OutputFile[]> {
  const folder = await ctx.folder();
  const own = `${folder}/${name}`;
  await write(file.path(), own, {
    signal: ctx.signal,
    progress: (done, total) => ctx.progress(done, total),
    withoutText: () => warnOfNoText(ctx),
  });
  if (name.endsWith(`.${format}`)) return [await ctx.adopt(file, own)];
  const target = `${folder}/converted.${format}`;
  await ctx.use(tokens.officeExport).convert(format, own, target, ctx.signal);
  return [await ctx.adopt(file, target)];
}
