import {
  booleanField,
  chooseLanguages,
  type DocumentFile,
  type JoiRoot,
  languagesField,
  maxDpi,
  OperationalError,
  type RunContext,
  shown,
  tokens,
} from '@quire/registry';

/** How a document is read, as the parsing operations take it. */
export interface ReadingParams {
  mode: 'auto' | 'basic' | 'advanced';
  withOcr: boolean;
  languages: string[];
}

/** A readable document, and the facts to report about its reading. */
export interface Readable {
  /** Absolute path of the PDF to read: the input, or a copy with recognised text. */
  readonly path: string;
  readonly facts: { readonly mode: 'basic' } & Partial<Recognised['facts']>;
}

/** A copy with recognised text. */
export interface Recognised {
  /** Absolute path. */
  readonly path: string;
  /** Pages that were read, and by what. */
  readonly facts: { readonly ocrPages: number; readonly ocrEngine: string; readonly ocrLanguages: string };
}

/** Services that `readable` and `requireParsing` use. */
export const readingServices = [tokens.settings, tokens.clock, tokens.recognizeText] as const;

/** Settings without which every parsing operation answers SERVICE_NOT_SET_UP (`requireParsing`). */
export const parsingSettings = ['docparse.enabled'];

export const readingErrors = [
  'PDF_ENCRYPTED',
  'PDF_ENCRYPTION_UNSUPPORTED',
  'PDF_DAMAGED',
  'PDF_NO_PAGES',
  'OCR_LANGUAGES_UNKNOWN',
  'IMAGE_TOO_LARGE',
] as const;

/** The field `mode` of the parsing operations. */
function modeField(joi: JoiRoot) {
  return joi
    .string()
    .empty('')
    .valid('auto', 'basic', 'advanced')
    .default('auto')
    .description(
      'How the layout is read: basic uses positions and tags; advanced needs a layout model, which this server does ' +
        'not have (503); auto uses what is available',
    )
    .example('auto');
}

/** The fields of `ReadingParams`. */
export function readingFields(joi: JoiRoot) {
  return {
    mode: shown(modeField(joi), {
      label: 'Reading of the layout',
      help: '',
      advanced: true,
      options: { auto: 'Automatic', basic: 'By position and tags', advanced: 'By a layout model' },
    }),
    withOcr: shown(booleanField(joi, 'Recognise the text of pages that have none (scans) first'), {
      label: 'Recognise scanned pages',
      help: 'Reads the text of pages that have none first.',
    }),
    languages: shown(
      languagesField(
        joi,
        'Languages for withOcr, the most important first; by default English, if it is installed',
        false,
      ),
      { when: { withOcr: true }, help: 'The most important first; English where none is chosen.' },
    ),
  };
}

/** Rejects with SERVICE_NOT_SET_UP while `docparse.enabled` is false. */
export function requireParsing(ctx: Pick<RunContext, 'use'>): void {
  if (ctx.use(tokens.settings).get<boolean>('docparse.enabled') === false)
    throw new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'Document parsing',
      detail: 'it is switched off (docparse.enabled)',
    });
}

/**
 * Makes a document readable as requested. Rejects with SERVICE_NOT_SET_UP (parsing is off, no layout model),
 * OCR_LANGUAGES_UNKNOWN, IMAGE_TOO_LARGE and the codes of OCR.
 */
export async function readable(
  file: DocumentFile,
  { mode, withOcr, languages: wanted }: Readonly<ReadingParams>,
  ctx: RunContext,
): Promise<Readable> {
  requireParsing(ctx);
  if (mode === 'advanced')
    throw new OperationalError('SERVICE_NOT_SET_UP', {
      service: 'The layout model',
      detail: 'mode advanced needs one; auto and basic do not',
    });
  if (!withOcr) return { path: file.path(), facts: { mode: 'basic' } };
  const { path, facts } = await recognised(file, wanted, ctx, {
    progress: (done, total) => ctx.progress(done, 2 * total),
  });
  return { path, facts: { mode: 'basic', ...facts } };
}

/**
 * Creates a copy of a document with OCR text on pages without text (at most so many pages). Rejects with
 * OCR_LANGUAGES_UNKNOWN, IMAGE_TOO_LARGE and the codes of OCR.
 */
export async function recognised(
  file: DocumentFile,
  wanted: readonly string[],
  ctx: RunContext,
  { mostPages, progress }: { readonly mostPages?: number; readonly progress: (done: number, total: number) => void },
): Promise<Recognised> {
  const [{ editFile }, { recognizePages }] = await Promise.all([
    import('@quire/document/file/open'),
    import('@quire/document/layout/ocr'),
  ]);
  const recogniser = ctx.use(tokens.recognizeText);
  const { engine, languages: installed, atOnce } = await recogniser.offer();
  const { languages } = chooseLanguages(
    wanted.length > 0 ? wanted : [installed.includes('eng') ? 'eng' : (installed[0] ?? 'eng')],
    installed,
  );
  const [folder, scratch] = [await ctx.folder(), await ctx.folder()];
  const path = `${folder}/recognised.pdf`;
  const { read } = await editFile(
    file.path(),
    path,
    { mode: 'append', modified: ctx.use(tokens.clock).now() },
    (opened) =>
      recognizePages(opened, {
        choice: 'withoutText',
        renderType: 'hocr',
        deskew: false,
        clean: false,
        cleanFinal: false,
        removeImages: false,
        sidecar: false,
        maxDpi: maxDpi(ctx),
        atOnce,
        folder: scratch,
        signal: ctx.signal,
        progress,
        ...(mostPages === undefined ? {} : { mostPages }),
        read: (picture, { words }, dpi, signal) => recogniser.words(picture, words, { languages, dpi }, signal),
      }),
  );
  return { path, facts: { ocrPages: read, ocrEngine: engine, ocrLanguages: languages.join('+') } };
}
