import { definePlugin } from '@quire/registry';

/** Electronic invoices of EN 16931. */
export default definePlugin({
  categories: [{ id: 'invoice', title: 'Invoices', icon: 'receipt-text', order: 65 }],
  operations: [],
});
