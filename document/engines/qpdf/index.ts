export {
  type QpdfFiles,
  type QpdfInput,
  type QpdfJob,
  type QpdfOutput,
  type QpdfResult,
  runQpdf,
  runQpdfRaw,
  runQpdfSeries,
} from './run.js';
