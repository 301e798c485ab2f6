import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** What of the file system a process gets; nothing else exists for it. */
export interface Reach {
  /** Its own folder, the only one that it may change. */
  readonly folder: string;
  /** A folder in its own one that it may only read. */
  readonly fixed?: string;
  /**
   * A folder in its own one in which it sees what is written to /tmp, /var/tmp and /dev/shm. Without one these are
   * read-only, as everything but `folder` is.
   */
  readonly temporary?: string;
  /** Files and folders of the system and of code. */
  readonly readable: readonly string[];
  /** Folders that appear empty to the process if they are inside readable ones. */
  readonly hidden: readonly string[];
  /** Further files and folders that it may read, also in hidden ones. */
  readonly shown?: readonly string[];
}

/**
 * Returns the arguments with which bubblewrap gives a process this reach, in its own network, process, IPC and host
 * name namespaces. `proc`: false where the system lets nobody mount another /proc.
 */
export function bubble(reach: Reach, proc: boolean): string[] {
  const { folder, fixed, temporary } = reach;
  const readable = reach.readable.filter((path) => existsSync(path));
  // A bound link would be a folder, whose own relative links lead elsewhere.
  const links = readable.filter((path) => lstatSync(path).isSymbolicLink());
  const readOnly = outermost(readable.map((path) => realpathSync(path)));
  const empty = outermost(reach.hidden).filter((path) => isInside(path, readOnly));
  const shown = (reach.shown ?? []).filter((path) => existsSync(path));
  const taken = [folder, ...shown];
  const scratch =
    temporary === undefined
      ? []
      : ['/tmp', '/var/tmp'].filter((place) => !taken.some((path) => isInside(path, [place])));
  return [
    '--die-with-parent',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(proc ? ['--proc', '/proc'] : []),
    '--dev',
    '/dev',
    ...foldersAbove([...readOnly, ...links]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...links.filter((path) => !isInside(path, readOnly)).flatMap((path) => ['--symlink', realpathSync(path), path]),
    ...empty.flatMap((path) => ['--perms', '0755', '--tmpfs', path]),
    ...foldersAbove([...taken, ...scratch]),
    ...shown.flatMap((path) => ['--ro-bind', realpathSync(path), path]),
    '--bind',
    folder,
    folder,
    ...(fixed === undefined ? [] : ['--ro-bind', fixed, fixed]),
    ...(temporary === undefined ? [] : [...scratch, '/dev/shm'].flatMap((place) => ['--bind', temporary, place])),
    // These are in memory, which must not be filled by writing files.
    ...['/', '/dev', ...empty].flatMap((path) => ['--remount-ro', path]),
    '--chdir',
    folder,
  ];
}

/**
 * Arguments that create every folder on the way to these paths, outermost first. Bubblewrap itself would create them
 * for the first user of the namespace alone.
 */
function foldersAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) found.add(folder);
  return [...found].sort().flatMap((path) => ['--perms', '0755', '--dir', path]);
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !isInside(dirname(path), all)).sort();
}

/** True for a path that is one of these folders, or in one of them. */
function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`));
}
