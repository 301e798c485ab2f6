import { kindInfo, type ConcreteKind } from '@quire/registry';

/**
 * The media type of an answer. A zip is octet-stream unless the client's Accept names application/zip (rulings, file
 * answers); a file whose operation declares another type than its kind's own gets that, with the same exception.
 */
export function answerMediaType(kind: ConcreteKind, accept: string | undefined, declared?: string): string {
  const { mediaType } = kindInfo(kind);
  const instead = kind === 'zip' ? 'application/octet-stream' : declared;
  return instead === undefined ||
    (accept ?? '')
      .toLowerCase()
      .split(/[,;\s]+/)
      .includes(mediaType)
    ? mediaType
    : instead;
}
