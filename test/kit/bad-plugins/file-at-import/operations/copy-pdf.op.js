import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

writeFileSync(join(tmpdir(), 'quire-bad-plugin'), 'here');

export const copyPdf = defineOperation(declaration);
