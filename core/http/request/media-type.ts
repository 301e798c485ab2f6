import { kindInfo, type ConcreteKind } from '@quire/registry';

/**
 * Returns the media type of an answer. A zip is octet-stream unless the client's Accept names application/zip; a file
 * whose operation declares a media type has that type, with the same exception.
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
