import type { Endpoint } from '@quire/registry';
import { actuatorEndpoints } from './actuator.endpoint.js';
import { auditEndpoints } from './audit.endpoint.js';
import { auditPageEndpoints } from './audit-pages.endpoint.js';
import { apiKeyEndpoints } from './api-keys.endpoint.js';
import { adminPluginsEndpoints } from './admin-plugins.endpoint.js';
import { adminSettingsEndpoints } from './admin-settings.endpoint.js';
import { capabilityEndpoints } from './capabilities.endpoint.js';
import { configEndpoints } from './config.endpoint.js';
import { databaseEndpoints } from './database.endpoint.js';
import { healthEndpoints } from './health.endpoint.js';
import { infoEndpoints } from './info.endpoint.js';
import { inviteEndpoints } from './invites.endpoint.js';
import { jobEndpoints } from './job.endpoint.js';
import { licenceEndpoints } from './licence.endpoint.js';
import { loginAgreementEndpoints } from './login-agreement.endpoint.js';
import { loginEndpoints } from './login.endpoint.js';
import { mfaEndpoints } from './mfa.endpoint.js';
import { mobileScannerEndpoints } from './mobile-scanner.endpoint.js';
import { nodeEndpoints } from './nodes.endpoint.js';
import { pageDataEndpoints } from './page-data.endpoint.js';
import type { EndpointParts } from './parts.js';
import { pipelineEndpoints } from './pipeline.endpoint.js';
import { storageFileEndpoints } from './storage-files.endpoint.js';
import { storageFolderEndpoints } from './storage-folders.endpoint.js';
import { storageShareEndpoints } from './storage-shares.endpoint.js';
import { teamEndpoints } from './teams.endpoint.js';
import { uiDataEndpoints } from './ui-data.endpoint.js';
import { usageEndpoints } from './usage.endpoint.js';
import { userAdminEndpoints } from './user-admin.endpoint.js';
import { userEndpoints } from './users.endpoint.js';

export { pipelineHeaders } from './pipeline.endpoint.js';
export type { AdminParts, EndpointParts } from './parts.js';

/** Every endpoint that is core's own. */
export function coreEndpoints(parts: EndpointParts): Endpoint[] {
  return [...infoEndpoints(parts), ...healthEndpoints(parts), ...actuatorEndpoints(parts), ...jobEndpoints(parts), ...pipelineEndpoints(parts), ...usageEndpoints(parts), ...nodeEndpoints(parts), ...loginEndpoints(parts), ...apiKeyEndpoints(parts), ...mfaEndpoints(parts), ...userEndpoints(parts), ...userAdminEndpoints(parts), ...teamEndpoints(parts), ...inviteEndpoints(parts), ...capabilityEndpoints(parts), ...configEndpoints(parts), ...adminPluginsEndpoints(parts), ...adminSettingsEndpoints(parts), ...licenceEndpoints(parts), ...loginAgreementEndpoints(parts), ...databaseEndpoints(parts), ...uiDataEndpoints(parts), ...pageDataEndpoints(parts), ...auditEndpoints(parts), ...auditPageEndpoints(parts), ...storageFileEndpoints(parts), ...storageFolderEndpoints(parts), ...storageShareEndpoints(parts), ...mobileScannerEndpoints(parts)];
}
