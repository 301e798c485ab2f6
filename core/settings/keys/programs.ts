import type { KnownKey } from '../known-key.js';

/** External programs and the browser. */
export const programsKeys = [
  {
    path: 'browser.path',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: true,
    meaning: 'absolute path of the Chromium that prints HTML; empty: the one of npm, else one on PATH',
  },
  {
    path: 'browser.folder',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: true,
    meaning: 'folder in which the Chromium of npm is unpacked once (200 MB); empty: tmp/engines in the base folder',
  },
  {
    path: 'browser.idleMinutes',
    type: 'integer',
    default: 4,
    min: 1,
    max: 1440,
    acts: true,
    meaning: 'minutes after which an idle browser ends',
  },
  {
    path: 'browser.printsBeforeRestart',
    type: 'integer',
    default: 100,
    min: 1,
    acts: true,
    meaning: 'documents after which the browser is restarted',
  },
  {
    path: 'processExecutor.autoUnoServer',
    type: 'boolean',
    default: true,
    acts: true,
    meaning:
      'keep LibreOffice processes running between documents, as many as its session limit; false: start a ' +
      'new one for each document',
  },
  {
    path: 'processExecutor.unoServerEndpoints',
    type: 'objects',
    default: [],
    acts: false,
    instead:
      'This server starts its own LibreOffice processes, confined and without a network; for more of them ' +
      'raise processExecutor.sessionLimit.libreOfficeSessionLimit, or add nodes with cluster.node.role ' +
      'worker.',
    meaning: 'remote LibreOffice workers when autoUnoServer is false',
  },
  {
    path: 'processExecutor.sessionLimit.libreOfficeSessionLimit',
    type: 'integer',
    default: 1,
    min: 0,
    acts: true,
    meaning: 'LibreOffice processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.pdfToHtmlSessionLimit',
    type: 'integer',
    default: 1,
    min: 0,
    acts: false,
    instead:
      'No pdftohtml runs here: workers of the server write HTML; limit it with concurrency of ' +
      'convert/pdf/html under operations.',
    meaning: 'pdftohtml processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.qpdfSessionLimit',
    type: 'integer',
    default: 4,
    min: 0,
    acts: true,
    meaning: 'qpdf processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.tesseractSessionLimit',
    type: 'integer',
    default: 0,
    min: 0,
    acts: true,
    meaning: 'pages recognised at once; 0: one per core',
  },
  {
    path: 'processExecutor.sessionLimit.pythonOpenCvSessionLimit',
    type: 'integer',
    default: 8,
    min: 0,
    acts: false,
    instead:
      'No Python runs here: workers of the server find photos on scans; limit it with concurrency of ' +
      'misc/extract-image-scans under operations.',
    meaning: 'Python/OpenCV processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.weasyPrintSessionLimit',
    type: 'integer',
    default: 16,
    min: 0,
    acts: true,
    meaning: 'documents that Chromium prints at once: HTML, Markdown, e-mail, web pages',
  },
  {
    path: 'processExecutor.sessionLimit.installAppSessionLimit',
    type: 'integer',
    default: 1,
    min: 0,
    acts: false,
    instead: 'The server never installs programs while it runs; use deploy/install-programs.sh.',
    meaning: 'installer processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.calibreSessionLimit',
    type: 'integer',
    default: 1,
    min: 0,
    acts: true,
    meaning: 'Calibre processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.imageMagickSessionLimit',
    type: 'integer',
    default: 4,
    min: 0,
    acts: false,
    instead:
      'No ImageMagick runs here: workers of the server read and write images; limits.workers says how many ' +
      'there are.',
    meaning: 'ImageMagick processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.ghostscriptSessionLimit',
    type: 'integer',
    default: 8,
    min: 0,
    acts: true,
    meaning: 'Ghostscript processes at once',
  },
  {
    path: 'processExecutor.sessionLimit.ocrMyPdfSessionLimit',
    type: 'integer',
    default: 2,
    min: 0,
    acts: false,
    instead:
      'No ocrmypdf runs here: the server runs Tesseract itself, page by page; use ' +
      'processExecutor.sessionLimit.tesseractSessionLimit.',
    meaning: 'ocrmypdf processes at once',
  },
  {
    path: 'processExecutor.timeoutMinutes.libreOfficetimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before a LibreOffice process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.pdfToHtmltimeoutMinutes',
    type: 'integer',
    default: 20,
    min: 0,
    acts: false,
    instead:
      'No pdftohtml runs here: workers of the server write HTML; limit it with timeout of ' +
      'convert/pdf/html under operations.',
    meaning: 'minutes before a pdftohtml process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.pythonOpenCvtimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: false,
    instead:
      'No Python runs here: workers of the server find photos on scans; limit it with timeout of ' +
      'misc/extract-image-scans under operations.',
    meaning: 'minutes before a Python/OpenCV process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.weasyPrinttimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before the printing of a document with Chromium is given up',
  },
  {
    path: 'processExecutor.timeoutMinutes.installApptimeoutMinutes',
    type: 'integer',
    default: 60,
    min: 0,
    acts: false,
    instead: 'The server never installs programs while it runs; use deploy/install-programs.sh.',
    meaning: 'minutes before an installer process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.calibretimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before a Calibre process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.imageMagickTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: false,
    instead:
      'No ImageMagick runs here: workers of the server read and write images; limits.syncTimeoutSeconds and' +
      ' limits.jobTimeoutSeconds limit them.',
    meaning: 'minutes before an ImageMagick process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.tesseractTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before a tesseract process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.qpdfTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before a qpdf process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.ghostscriptTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: true,
    meaning: 'minutes before a Ghostscript process is killed',
  },
  {
    path: 'processExecutor.timeoutMinutes.ocrMyPdfTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: false,
    instead:
      'No ocrmypdf runs here: the server runs Tesseract itself, page by page; use ' +
      'processExecutor.timeoutMinutes.tesseractTimeoutMinutes.',
    meaning: 'minutes before an ocrmypdf process is killed',
  },
  {
    path: 'processExecutor.sessionLimit.ffmpegSessionLimit',
    type: 'integer',
    default: 2,
    min: 0,
    acts: false,
    instead: 'No operation of this server makes or reads video, so no FFmpeg runs; there is nothing to limit.',
    meaning: 'FFmpeg processes at once',
  },
  {
    path: 'processExecutor.timeoutMinutes.ffmpegTimeoutMinutes',
    type: 'integer',
    default: 30,
    min: 0,
    acts: false,
    instead: 'No operation of this server makes or reads video, so no FFmpeg runs; there is nothing to limit.',
    meaning: 'minutes before an FFmpeg process is killed',
  },
] as const satisfies readonly KnownKey[];
