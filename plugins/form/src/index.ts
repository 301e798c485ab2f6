import { definePlugin } from '@quire/registry';
import { fields } from './operations/fields.op.js';

/** Forms of PDF documents. */
export default definePlugin({ operations: [fields] });
