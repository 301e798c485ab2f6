import { definePlugin } from '@quire/registry';
import { deleteFields } from './operations/delete-fields.op.js';
import { extractCsv } from './operations/extract-csv.op.js';
import { extractXlsx } from './operations/extract-xlsx.op.js';
import { fields } from './operations/fields.op.js';
import { fieldsWithCoordinates } from './operations/fields-with-coordinates.op.js';
import { fill } from './operations/fill.op.js';
import { modifyFields } from './operations/modify-fields.op.js';

/** Forms of PDF documents. */
export default definePlugin({
  categories: [{ id: 'form', title: 'Forms', icon: 'clipboard-pen', order: 50 }],
  operations: [deleteFields, extractCsv, extractXlsx, fields, fieldsWithCoordinates, fill, modifyFields],
});
