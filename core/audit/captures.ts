import type { Settings } from '../settings/index.js';

/**
 * The facts about documents and results that the log stores for calls that process documents
 * (`premium.enterpriseFeatures.audit.capture…`, `docs/interface/settings.yml`). All are off by default.
 */
export interface Captures {
  readonly fileHash: boolean;
  readonly results: boolean;
  readonly pdfAuthor: boolean;
}

export function capturesOf(settings: Settings): Captures {
  const on = (what: 'FileHash' | 'OperationResults' | 'PdfAuthor'): boolean =>
    settings.get(`premium.enterpriseFeatures.audit.capture${what}`);
  return { fileHash: on('FileHash'), results: on('OperationResults'), pdfAuthor: on('PdfAuthor') };
}
