import { definePlugin } from '@quire/registry';
import { filterContainsImage } from './operations/filter-contains-image.op.js';
import { filterContainsText } from './operations/filter-contains-text.op.js';
import { filterFileSize } from './operations/filter-file-size.op.js';
import { filterPageCount } from './operations/filter-page-count.op.js';
import { filterPageRotation } from './operations/filter-page-rotation.op.js';
import { filterPageSize } from './operations/filter-page-size.op.js';
import { templates } from './templates.js';

/** Filters: each keeps its file as it is, or drops it. */
export default definePlugin({
  categories: [{ id: 'filter', title: 'Filters', icon: 'funnel', order: 90 }],
  templates,
  operations: [
    filterContainsText,
    filterContainsImage,
    filterPageCount,
    filterPageSize,
    filterFileSize,
    filterPageRotation,
  ],
});
