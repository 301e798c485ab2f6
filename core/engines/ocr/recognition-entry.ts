import { readFile, writeFile } from 'node:fs/promises';
import type { Worker } from 'tesseract.js';
import type { FromRecognition, RecognitionJob, RecognitionSetup } from './recognition-job.js';

/** The child process that recognises text with tesseract.js: one engine with its languages, one image after another. */
const { folder, languages } = JSON.parse(process.argv[2] ?? '{}') as RecognitionSetup;
const send = (message: FromRecognition): void => void process.send?.(message);
let engine: Promise<Worker> | undefined;

async function start(): Promise<Worker> {
  const { createWorker, OEM } = (await import('tesseract.js')).default;
  return new Promise((resolve, reject) => {
    // Errors at the start are passed to this handler and reject no promise.
    createWorker([...languages], OEM.LSTM_ONLY, {
      langPath: folder,
      cacheMethod: 'none',
      gzip: false,
      errorHandler: (error: unknown) => reject(new Error(String(error))),
    }).then(resolve, reject);
  });
}

async function recognise({ picture, words, layer, dpi }: RecognitionJob): Promise<void> {
  const worker = await (engine ??= start());
  const options = { user_defined_dpi: String(dpi), pdfTitle: '', pdfTextOnly: true };
  const { data } = await worker.recognize(await readFile(picture), options as never, {
    text: false,
    hocr: true,
    pdf: layer !== undefined,
  });
  await writeFile(words, data.hocr ?? '');
  if (layer !== undefined) await writeFile(layer, Uint8Array.from(data.pdf ?? []));
}

process.on('message', (job: RecognitionJob) => {
  recognise(job).then(
    () => send({ kind: 'done', id: job.id }),
    (error: unknown) =>
      send({ kind: 'failed', id: job.id, detail: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
// The server decides when it ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
