import { definePlugin, defineOperation } from '@quire/registry';
import { declaration } from './operations/declaration.js';

export default definePlugin({ operations: [defineOperation({ ...declaration, path: 'misc/duplicate-pdf' })] });
