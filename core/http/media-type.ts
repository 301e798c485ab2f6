import { kindInfo, type ConcreteKind } from '@quire/registry';

/** The media type of an answer: a zip is octet-stream unless the client's Accept names application/zip (rulings, file answers). */
export function answerMediaType(kind: ConcreteKind, accept: string | undefined): string {
  if (kind !== 'zip') return kindInfo(kind).mediaType;
  return /\bapplication\/zip\b/i.test(accept ?? '') ? 'application/zip' : 'application/octet-stream';
}
