import { execFile } from 'node:child_process';

/** Runs `openssl`, and returns its output; rejects with its error output. */
export function openssl(folder: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'openssl',
      [...args],
      { cwd: folder, env: { ...process.env, RANDFILE: `${folder}/.rnd` }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`openssl ${args.join(' ')}: ${stderr || error.message}`));
      },
    );
  });
}
