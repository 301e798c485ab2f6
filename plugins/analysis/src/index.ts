import { definePlugin } from '@quire/registry';
import { annotationInfo } from './operations/annotation-info.op.js';
import { basicInfo } from './operations/basic-info.op.js';
import { documentProperties } from './operations/document-properties.op.js';
import { fontInfo } from './operations/font-info.op.js';
import { formFields } from './operations/form-fields.op.js';
import { pageCount } from './operations/page-count.op.js';
import { pageDimensions } from './operations/page-dimensions.op.js';
import { securityInfo } from './operations/security-info.op.js';

/** Questions about a PDF, answered as JSON. */
export default definePlugin({
  categories: [{ id: 'analysis', title: 'Inspect', icon: 'file-search', order: 60 }],
  operations: [
    pageCount,
    basicInfo,
    documentProperties,
    pageDimensions,
    formFields,
    annotationInfo,
    fontInfo,
    securityInfo,
  ],
});
