import { defineConfig } from 'vite';
import { compressFiles } from './build/compress.ts';
import { writeIcons } from './build/icons.ts';
import { firstLoadChunk } from './build/first-load.ts';
import { copyPaths } from './build/paths.ts';

/** `npm run dev` in this folder: the console with hot reload, and the API of the server at this address. */
const api = process.env['QUIRE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the page works under every sub-path.
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [writeIcons(), copyPaths(), compressFiles()],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsDir: 'console-assets',
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Slow machines make every build look slow: who installs Quire cannot do anything about it. The start page is
    // imported twice on purpose (main.tsx).
    rolldownOptions: {
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      output: { codeSplitting: { groups: [{ name: firstLoadChunk(import.meta.dirname) }] } },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': api, '/v1': api, '/swagger-ui': api, '/swagger-assets': api } },
});
