import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Beyond this size the best quality takes minutes and saves little. */
const LARGE_BYTES = 2_000_000;

/** Writes a `.gz` and a `.br` file beside every file whose type compresses; the server only picks one of them. */
export function compressFiles(): Plugin {
  let folder = '';
  return {
    name: 'quire-compress',
    apply: 'build',
    configResolved: ({ root, build }) => void (folder = join(root, build.outDir, build.assetsDir)),
    closeBundle: () => {
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|svg|json|wasm|txt)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        const quality = bytes.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY;
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(
          join(folder, `${name}.br`),
          brotliCompressSync(bytes, {
            params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          }),
        );
      }
    },
  };
}
