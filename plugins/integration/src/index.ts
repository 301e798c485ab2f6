import { definePlugin } from '@quire/registry';
import { integrationsCapabilities } from './endpoints/integrations-capabilities.endpoint.js';

/** Saved connections to other services. */
export default definePlugin({ endpoints: [integrationsCapabilities] });
