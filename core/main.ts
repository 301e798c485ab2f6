#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// oxlint-disable-next-line no-restricted-imports -- this package's own bundle, which loads much faster than its files
import { runMain } from '@quire/core';

// core/dist/main.js lies two folders below the product.
await runMain(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
