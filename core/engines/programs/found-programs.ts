import { dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { findProgram } from '../../isolation/index.js';
import type { Settings } from '../../settings/index.js';
import { besideProgram, findPackage } from './find-program.js';
import { programInfo, programNames, type ProgramInfo, type ProgramName } from './program-table.js';

/** Where a program is. */
export interface FoundProgram {
  /** Absolute path of the file that is run. */
  readonly path: string;
  /** Folder of the npm package that brings it, packed. */
  readonly package?: string;
  /** The file that is installed beside the package, if one is. */
  readonly installed?: string;
}

/** Looks for all programs on `searchPath` (or at the places set); runs none of them. */
export function findPrograms(
  settings: Pick<Settings, 'get'>,
  searchPath: string,
): ReadonlyMap<ProgramName, FoundProgram> {
  const removed: readonly string[] = settings.get('endpoints.groupsToRemove');
  const found = new Map<ProgramName, FoundProgram>();
  for (const name of programNames) {
    const info = programInfo(name);
    const program = removed.includes(info.toolGroup ?? '') ? undefined : find(info, settings, searchPath);
    if (program !== undefined) found.set(name, program);
  }
  return found;
}

function find(info: ProgramInfo, settings: Pick<Settings, 'get'>, searchPath: string): FoundProgram | undefined {
  const named = info.pathKey === undefined ? '' : settings.get(info.pathKey);
  const installed =
    named === ''
      ? info.commands.map((command) => findProgram(command, searchPath)).find((file) => file !== undefined)
      : findProgram(named, searchPath);
  const packed =
    named === '' && info.packed?.platforms.includes(`${process.platform}-${process.arch}`) === true
      ? findPackage(info.packed.name)
      : undefined;
  if (packed !== undefined)
    return {
      path: join(packed, info.packed?.file ?? ''),
      package: packed,
      ...(installed === undefined ? {} : { installed }),
    };
  if (installed === undefined) return undefined;
  return { path: info.besides === undefined ? installed : besideProgram(installed, info.besides), installed };
}

/**
 * Returns the environment with which a program finds its libraries where there is no /proc, by which the system would
 * find them.
 */
export function librariesOf(info: ProgramInfo, file: string, searchPath: string): Readonly<Record<string, string>> {
  if (info.besides !== undefined) return { LD_LIBRARY_PATH: dirname(file) };
  const java = info.uses?.includes('java') === true ? findProgram('java', searchPath) : undefined;
  return java === undefined ? {} : { LD_LIBRARY_PATH: join(dirname(dirname(realpathSync(java))), 'lib') };
}
