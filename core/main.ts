#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMain } from './app/run-main.js';

// core/dist/main.js lies two folders below the product.
await runMain(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
