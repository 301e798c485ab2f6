import { definePlugin } from '@quire/registry';
import { docparseCapabilities } from './endpoints/docparse-capabilities.endpoint.js';
import { chunkDocument } from './operations/chunk-document.op.js';
import { extractTables } from './operations/extract-tables.op.js';
import { parseDocument } from './operations/parse-document.op.js';

/** Document parsing. */
export default definePlugin({ operations: [chunkDocument, extractTables, parseDocument], endpoints: [docparseCapabilities] });
