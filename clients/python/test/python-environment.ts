import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** Fails where the language is too old or virtual environments are not installed (Debian: python3-venv). */
const SUITABLE = 'import sys, venv, ensurepip; print(sys.version); sys.exit(sys.version_info < (3, 10))';

/** A Python that the client runs on. */
export interface Python {
  readonly command: string;
  readonly version: string;
}

/** Returns the first Python 3.10 or newer on PATH that can make virtual environments. */
export function findPython(): Python | undefined {
  for (const command of CANDIDATES) {
    const { status, stdout } = spawnSync(command, ['-c', SUITABLE], { encoding: 'utf8' });
    if (status === 0) return { command, version: stdout };
  }
  return undefined;
}

/**
 * Returns the Python of a virtual environment with what the client and its tests need. It is kept in the cache folder
 * until `pyproject.toml` or Python changes.
 */
export async function preparedPython({ command, version }: Python, client: string, cache: string): Promise<string> {
  const project = readFileSync(join(client, 'pyproject.toml'), 'utf8');
  const home = join(cache, 'python-client');
  const python = join(home, 'bin', 'python');
  const mark = join(home, 'ready');
  const digest = createHash('sha256').update(version).update(project).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return python;
  mkdirSync(cache, { recursive: true });
  rmSync(home, { recursive: true, force: true });
  await run(command, ['-m', 'venv', home]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  await run(python, [...pip, ...requirements(project)]);
  // Written last, so that an interrupted installation is repeated.
  writeFileSync(mark, digest);
  return python;
}

/** Returns what the lists `requires`, `dependencies` and `test` of the project name. */
function requirements(project: string): string[] {
  return ['requires', 'dependencies', 'test'].flatMap((list) =>
    [...(new RegExp(`^${list} = \\[([^\\]]*)\\]`, 'm').exec(project)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(
      ([, requirement = '']) => requirement,
    ),
  );
}
