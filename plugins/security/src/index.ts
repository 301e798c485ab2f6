import { definePlugin } from '@quire/registry';
import { addWatermark } from './operations/add-watermark.op.js';

/** Watermarks. */
export default definePlugin({ operations: [addWatermark] });
