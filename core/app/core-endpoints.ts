import type { Endpoint } from '@quire/registry';
import { actuatorEndpoints } from '../metrics/endpoints/actuator.endpoint.js';
import { auditEndpoints } from '../audit/endpoints/audit.endpoint.js';
import { auditPageEndpoints } from '../audit/endpoints/audit-pages.endpoint.js';
import { apiKeyEndpoints } from '../accounts/endpoints/api-keys.endpoint.js';
import { adminPluginsEndpoints } from '../administration/endpoints/admin-plugins.endpoint.js';
import { adminSettingsEndpoints } from '../administration/endpoints/admin-settings.endpoint.js';
import { capabilityEndpoints } from '../administration/endpoints/capabilities.endpoint.js';
import { configEndpoints } from '../administration/endpoints/config.endpoint.js';
import { databaseEndpoints } from '../administration/endpoints/database.endpoint.js';
import { healthEndpoints } from '../metrics/endpoints/health.endpoint.js';
import { infoEndpoints } from '../metrics/endpoints/info.endpoint.js';
import { inviteEndpoints } from '../accounts/endpoints/invites.endpoint.js';
import { jobEndpoints } from '../jobs/endpoints/job.endpoint.js';
import { licenceEndpoints } from '../billing/endpoints/licence.endpoint.js';
import { loginAgreementEndpoints } from '../accounts/endpoints/login-agreement.endpoint.js';
import { loginEndpoints } from '../accounts/endpoints/login.endpoint.js';
import { mfaEndpoints } from '../accounts/endpoints/mfa.endpoint.js';
import { mobileScannerEndpoints } from '../mobile-scanner/endpoints/mobile-scanner.endpoint.js';
import { nodeEndpoints } from '../jobs/endpoints/nodes.endpoint.js';
import { pageDataEndpoints } from '../administration/endpoints/page-data.endpoint.js';
import type { EndpointParts } from '../http/endpoint-deps.js';
import { pipelineEndpoints } from '../operations/pipelines/endpoints/pipeline.endpoint.js';
import { storageFileEndpoints } from '../storage/endpoints/storage-files.endpoint.js';
import { storageFolderEndpoints } from '../storage/endpoints/storage-folders.endpoint.js';
import { storageShareEndpoints } from '../storage/endpoints/storage-shares.endpoint.js';
import { teamEndpoints } from '../accounts/endpoints/teams.endpoint.js';
import { uiDataEndpoints } from '../administration/endpoints/ui-data.endpoint.js';
import { usageEndpoints } from '../billing/endpoints/usage.endpoint.js';
import { userAdminEndpoints } from '../accounts/endpoints/user-admin.endpoint.js';
import { userEndpoints } from '../accounts/endpoints/users.endpoint.js';

export { pipelineHeaders } from '../operations/pipelines/endpoints/pipeline.endpoint.js';
export type { AdminParts, EndpointParts } from '../http/endpoint-deps.js';

/** Every endpoint that is core's own. */
export function coreEndpoints(parts: EndpointParts): Endpoint[] {
  return [
    ...infoEndpoints(parts),
    ...healthEndpoints(parts),
    ...actuatorEndpoints(parts),
    ...jobEndpoints(parts),
    ...pipelineEndpoints(parts),
    ...usageEndpoints(parts),
    ...nodeEndpoints(parts),
    ...loginEndpoints(parts),
    ...apiKeyEndpoints(parts),
    ...mfaEndpoints(parts),
    ...userEndpoints(parts),
    ...userAdminEndpoints(parts),
    ...teamEndpoints(parts),
    ...inviteEndpoints(parts),
    ...capabilityEndpoints(parts),
    ...configEndpoints(parts),
    ...adminPluginsEndpoints(parts),
    ...adminSettingsEndpoints(parts),
    ...licenceEndpoints(parts),
    ...loginAgreementEndpoints(parts),
    ...databaseEndpoints(parts),
    ...uiDataEndpoints(parts),
    ...pageDataEndpoints(parts),
    ...auditEndpoints(parts),
    ...auditPageEndpoints(parts),
    ...storageFileEndpoints(parts),
    ...storageFolderEndpoints(parts),
    ...storageShareEndpoints(parts),
    ...mobileScannerEndpoints(parts),
  ];
}
