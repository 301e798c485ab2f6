import { definePlugin } from '@quire/registry';
import { extractCsv } from './operations/extract-csv.op.js';
import { extractXlsx } from './operations/extract-xlsx.op.js';
import { fields } from './operations/fields.op.js';
import { fieldsWithCoordinates } from './operations/fields-with-coordinates.op.js';
import { fill } from './operations/fill.op.js';

/** Forms of PDF documents. */
export default definePlugin({ operations: [extractCsv, extractXlsx, fields, fieldsWithCoordinates, fill] });
