import { definePlugin } from '@quire/registry';
import { docparseCapabilities } from './endpoints/docparse-capabilities.endpoint.js';

/** Document parsing. */
export default definePlugin({ endpoints: [docparseCapabilities] });
