import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DefectError,
  InputError,
  isQuireError,
  type Logger,
  OperationalError,
  type RecognitionOffer,
  type RecognitionOptions,
  type RecognizeText,
} from '@quire/registry';
import type { Isolation } from '../../isolation/index.js';
import { endingOf, failureOf, programTable, runsFolder, type ProgramSupervisor } from '../programs/index.js';
import { WorkClock } from '../../semaphore/index.js';
import type { Settings } from '../../settings/index.js';
import { folderOfListing, isWritten, LanguageData } from './language-data.js';
import type { RecognitionSetup } from './recognition-job.js';
import { RecognitionPool } from './recognition-pool.js';

export interface RecognitionDeps {
  readonly programs: ProgramSupervisor;
  readonly settings: Settings;
  readonly log: Logger;
  /** Confines the library's processes. */
  readonly isolation: Isolation;
  /** Default: 60 seconds. */
  readonly idleMs?: number;
  /** The module of the library's processes, where that is not beside this one. */
  readonly entry?: URL;
}

const PROGRAM = 'tesseract';
const LIBRARY = 'tesseract.js';
const IDLE_MS = 60_000;
const RUNS = 200;
const LARGEST_FILE_MB = 1024;
const LIST_MS = 10_000;
const DPI = { least: 50, most: 2400 } as const;

/**
 * Recognises text with the program Tesseract where it is installed, otherwise with tesseract.js, one page on each core.
 */
export class TesseractRecognizeText implements RecognizeText {
  readonly #languages: LanguageData;
  readonly #ownFolder: string;
  readonly #atOnce: number;
  #programFolder: Promise<string | undefined> | undefined;
  #pool: RecognitionPool | undefined;

  constructor(private readonly deps: RecognitionDeps) {
    const { settings } = deps;
    this.#atOnce = settings.get('processExecutor.sessionLimit.tesseractSessionLimit') || programTable[PROGRAM].atOnce;
    this.#ownFolder = settings.get('system.tessdataDir') || join(settings.paths.customFiles, 'tessdata');
    this.#languages = new LanguageData({
      tessdataDir: this.#ownFolder,
      packagesFrom: [dirname(fileURLToPath(import.meta.url)), process.cwd()],
      folder: join(settings.paths.tmp, 'tessdata'),
      programFolder: () => (this.#programFolder ??= this.#askProgram()),
    });
  }

  /** Returns what is available; the program is asked once. */
  async offer(): Promise<RecognitionOffer> {
    return {
      engine: this.deps.programs.has(PROGRAM) ? PROGRAM : LIBRARY,
      languages: await this.#languages.list(),
      atOnce: this.#atOnce,
      ownFolder: this.#ownFolder,
    };
  }

  /**
   * Rejects with OCR_LANGUAGES_UNKNOWN, OCR_FAILED, DOCUMENT_UNPROCESSABLE (every engine crashes on the page), TIMEOUT,
   * QUEUE_FULL, CANCELLED and SHUTTING_DOWN.
   */
  words(picture: string, words: string, options: RecognitionOptions, signal: AbortSignal): Promise<void> {
    return this.#recognise({ picture, words }, options, signal);
  }

  /** Rejects as `words` does. */
  layer(
    picture: string,
    words: string,
    layer: string,
    options: RecognitionOptions,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#recognise({ picture, words, layer }, options, signal);
  }

  /** Ids of the library's processes. */
  pids(): readonly number[] {
    return this.#pool?.pids() ?? [];
  }

  /** Ends the library's processes; the supervisor ends those of the program. */
  stop(): void {
    this.#pool?.stop();
  }

  async #recognise(
    files: { readonly picture: string; readonly words: string; readonly layer?: string },
    options: RecognitionOptions,
    signal: AbortSignal,
  ): Promise<void> {
    // These come from a worker, which may be compromised.
    const { languages, dpi } = options;
    if (!Array.isArray(languages) || !Number.isInteger(dpi) || dpi < DPI.least || dpi > DPI.most)
      throw new DefectError('CONTRACT_BROKEN', {
        detail: 'recognition was asked for without languages or a resolution',
      });
    const installed = await this.#languages.list();
    if (languages.length === 0 || !languages.every((language) => installed.includes(language as string))) {
      throw new InputError('OCR_LANGUAGES_UNKNOWN', { found: languages.join(', '), installed: installed.join(', ') });
    }
    const folder = await this.#languages.folderOf(languages);
    const setup = { folder, languages, data: this.#languages.filesIn(folder, languages) };
    if (!this.deps.programs.has(PROGRAM)) return this.#byLibrary(files, setup, options, signal);
    await this.#byProgram(files, setup, options, signal).catch(async (error: unknown) => {
      if (!isQuireError(error) || !['DOCUMENT_UNPROCESSABLE', 'PROGRAM_NOT_STARTED'].includes(error.code)) throw error;
      this.deps.log.warn({ err: error }, 'tesseract could not read a page, which is read by tesseract.js instead');
      await this.#byLibrary(files, setup, options, signal).catch((again: unknown) => {
        throw isQuireError(again) && again.code === 'OCR_FAILED' ? error : again;
      });
    });
  }

  async #byProgram(
    { picture, words, layer }: { readonly picture: string; readonly words: string; readonly layer?: string },
    { folder, languages, data }: RecognitionSetup,
    { dpi }: RecognitionOptions,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const variables = [
        'tessedit_create_hocr=1',
        ...(layer === undefined ? [] : ['tessedit_create_pdf=1', 'textonly_pdf=1']),
      ].flatMap((one) => ['-c', one]);
      const { code, stderr } = await this.deps.programs.run(
        PROGRAM,
        async (files) => {
          files.output(words, 'page.hocr');
          if (layer !== undefined) files.output(layer, 'page.pdf');
          const named = ['--tessdata-dir', folder, '-l', languages.join('+'), '--dpi', String(dpi)];
          return [await files.input(picture), join(files.path, 'page'), ...named, ...variables];
        },
        { signal, okCodes: 'any', shown: data },
      );
      // The server drew the picture: only a crash is the document's fault.
      if (code >= 128) throw failureOf(PROGRAM, code, stderr);
      if (code !== 0) throw new OperationalError('OCR_FAILED', { program: PROGRAM, detail: endingOf(code) });
      if (!isWritten(words) || (layer !== undefined && !isWritten(layer)))
        throw new OperationalError('OCR_FAILED', { program: PROGRAM, detail: 'it wrote nothing' });
    } catch (error) {
      if (isQuireError(error) && error.code === 'PROGRAM_FAILED')
        throw new OperationalError(
          'OCR_FAILED',
          { program: PROGRAM, detail: String(error.data['detail']) },
          { cause: error },
        );
      throw error;
    }
  }

  async #byLibrary(
    files: { readonly picture: string; readonly words: string; readonly layer?: string },
    setup: RecognitionSetup,
    { dpi }: RecognitionOptions,
    signal: AbortSignal,
  ): Promise<void> {
    this.#pool ??= this.#newPool();
    const minutes =
      this.deps.settings.get('processExecutor.timeoutMinutes.tesseractTimeoutMinutes') || programTable[PROGRAM].minutes;
    const clock = new WorkClock({
      limitMs: minutes * 60_000,
      totalTimes: this.deps.settings.get('limits.totalTimeFactor'),
    });
    const [pool, until] = [this.#pool, AbortSignal.any([signal, clock.signal])];
    try {
      await clock.run(() => pool.run(setup, { ...files, dpi }, until));
      if (!isWritten(files.words))
        throw new OperationalError('OCR_FAILED', { program: LIBRARY, detail: 'it wrote nothing' });
    } catch (error) {
      throw isQuireError(error) ? error : new OperationalError('CANCELLED', {}, { cause: error });
    } finally {
      clock.stop();
    }
  }

  #newPool(): RecognitionPool {
    const { idleMs = IDLE_MS, entry = new URL('./recognition-entry.js', import.meta.url), isolation, log } = this.deps;
    const { tmp } = this.deps.settings.paths;
    const confined = isolation.workers({
      memoryMb: programTable[PROGRAM].memoryMb,
      fileMb: LARGEST_FILE_MB,
      code: () => [fileURLToPath(entry)],
    });
    const start = { log, entry, isolation: confined, root: runsFolder(tmp), temporary: tmp };
    return new RecognitionPool({ atOnce: this.#atOnce, idleMs, recycleAfterRuns: RUNS, start });
  }

  /**
   * Returns the program's own folder of language data; undefined without the program, or when it does not report one.
   */
  async #askProgram(): Promise<string | undefined> {
    if (!this.deps.programs.has(PROGRAM)) return undefined;
    try {
      const { stdout, stderr } = await this.deps.programs.run(PROGRAM, ['--list-langs'], {
        signal: AbortSignal.timeout(LIST_MS),
        okCodes: 'any',
      });
      return folderOfListing(`${stdout}\n${stderr}`);
    } catch (error) {
      this.deps.log.warn({ err: error }, 'tesseract did not list its languages');
      return undefined;
    }
  }
}
