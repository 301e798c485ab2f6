import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome']);
}

/**
 * Path of the Chromium without a window, where Debian's package is installed, or of another. It shows pages with the
 * same engine, and uses two thirds of the processor time to open one (0.5 s instead of 0.7).
 */
export function findHeadlessChromium(): string | undefined {
  return findProgram(['chromium-headless-shell']) ?? findChromium();
}

function findProgram(names: readonly string[]): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        continue;
      }
    }
  }
  return undefined;
}
