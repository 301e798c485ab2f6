import type { takeSecrets } from '@quire/core';

/** Runs the server until a signal arrives; reads `--settings <file>` from the command line. */
export declare function serve(given?: ReturnType<typeof takeSecrets>): Promise<void>;
