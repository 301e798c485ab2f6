import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** pyHanko's verdict on one signature. */
export interface PyhankoVerdict {
  readonly field: string;
  readonly kind: 'signature' | 'stamp' | 'error';
  /** Intact, trusted, and without later changes that it does not allow. */
  readonly good: boolean;
  /** Its own words: `INTACT:TRUSTED,TIMESTAMP_TOKEN<…>,EXTENDED_WITH_LTA_UPDATES,ACCEPTABLE_MODIFICATIONS`. */
  readonly summary: string;
}

/**
 * The Python with pyHanko (tools/install-pyhanko.sh), beside the `pyhanko` on PATH; undefined where it is not
 * installed.
 */
export function pyhankoPython(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'pyhanko');
    const python = existsSync(program) ? join(dirname(realpathSync(program)), 'python') : undefined;
    if (python !== undefined && existsSync(python)) return python;
  }
  return undefined;
}

/**
 * Verifies every signature of these files with pyHanko against one root (PEM), without the network. With `dss`, all
 * revocation data must be in the files' security stores.
 */
export function verifyWithPyhanko(
  root: string,
  files: readonly string[],
  { dss = false }: { readonly dss?: boolean } = {},
): Promise<readonly (readonly PyhankoVerdict[])[]> {
  const python = pyhankoPython();
  if (python === undefined) return Promise.reject(new Error('pyHanko is not installed'));
  const script = fileURLToPath(new URL('verify_signatures.py', import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(
      python,
      [script, ...(dss ? ['--dss'] : []), root, ...files],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(JSON.parse(stdout) as (readonly PyhankoVerdict[])[]);
        else reject(new Error(stderr === '' ? error.message : stderr));
      },
    );
  });
}
