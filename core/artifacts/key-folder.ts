import { StartupError } from '@quire/registry/errors';

/** A key has at most 1024 bytes (S3); the rest of one of ours needs 80. */
const LONGEST_PREFIX = 900;

/**
 * Returns the beginning of the keys of all job files: the prefix of the settings, then the installation, so that two
 * stores that were given one bucket and one prefix do not remove each other's files. Throws SETTINGS_INVALID.
 */
export function keyFolder(prefix: string, installationId: string): string {
  const refused = (detail: string): StartupError =>
    new StartupError('SETTINGS_INVALID', { where: 'cluster.s3.keyPrefix', detail });
  const folders = prefix.replace(/^\/+/, '').replace(/\/+$/, '');
  if (Buffer.byteLength(folders) > LONGEST_PREFIX)
    throw refused(`it has ${Buffer.byteLength(folders)} bytes; the limit is ${LONGEST_PREFIX}`);
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(folders)) throw refused('it contains control characters');
  // Part of a URL path, where these mean other folders, and in the end another bucket.
  if (folders.split('/').some((part) => part === '.' || part === '..' || (part === '' && folders !== '')))
    throw refused(`"${prefix}" has an empty part, "." or ".." between its slashes; use one like transient/`);
  return `${folders === '' ? '' : `${folders}/`}${installationId}/`;
}
