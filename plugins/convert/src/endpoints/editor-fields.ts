import type { EndpointAnswer, ErrorCode, JoiRoot, Principal } from '@quire/registry';
import type { EditorSessions } from '../services/editor-sessions.js';

/** Whose session it is: nobody's in particular while login is off. */
export function ownerOf({ via, id }: Principal): string {
  return via === 'none' ? '' : id;
}

/** The key of a session in the path. */
export const jobIdField = (joi: JoiRoot) =>
  joi
    .string()
    .max(300)
    .required()
    .description('X-Job-Id of the metadata call')
    .example('1f0c9a0e-6f3b-4a6e-9d3c-0d6f3f0a7c11');

/** The number of a page in the path. */
export const pageNumberField = (joi: JoiRoot) =>
  joi.number().integer().min(1).max(1_000_000).required().description('From 1').example(1);

/** Codes that every call of a session may answer with. */
export const sessionCodes: readonly ErrorCode[] = [
  'EDIT_SESSION_GONE',
  'INPUT_INVALID',
  'INPUT_TOO_COMPLEX',
  'PDF_DAMAGED',
  'TIMEOUT',
  'QUEUE_FULL',
  'KEY_INVALID',
  'TOKEN_INVALID',
  'ACCOUNT_DISABLED',
  'OPERATION_DISABLED',
];

/** A file that goes once it was sent. */
export function fileOnce(
  sessions: EditorSessions,
  name: string,
  mediaType: string,
  path: string,
  disposition: 'attachment' | 'inline' = 'attachment',
): EndpointAnswer {
  return { file: { name, mediaType, path, disposition, release: () => sessions.discard(path) } };
}
