import { definePlugin } from '@quire/registry';
import { convert } from './operations/convert.op.js';
import { create } from './operations/create.op.js';
import { detect } from './operations/detect.op.js';
import { embed } from './operations/embed.op.js';
import { extract } from './operations/extract.op.js';
import { render } from './operations/render.op.js';
import { validate } from './operations/validate.op.js';

/** Electronic invoices of EN 16931. */
export default definePlugin({
  categories: [{ id: 'invoice', title: 'Invoices', icon: 'receipt-text', order: 65 }],
  operations: [detect, extract, validate, render, create, embed, convert],
});
