import type { Endpoint } from '@quire/registry';
import { adminPluginsEndpoints, type AdminPluginsDeps } from './admin-plugins.endpoint.js';
import { adminSettingsEndpoints, type AdminSettingsDeps } from './admin-settings.endpoint.js';
import { capabilityEndpoints, type CapabilitiesDeps } from './capabilities.endpoint.js';
import { configEndpoints, type ConfigDeps } from './config.endpoint.js';
import { databaseEndpoints, type DatabaseDeps } from './database.endpoint.js';
import { pageDataEndpoints, type PageDataDeps } from './page-data.endpoint.js';
import { settingsDescriptions } from './settings-descriptions.endpoint.js';
import { setupEndpoints, type SetupDeps } from './setup.endpoint.js';
import { trustEndpoint, type TrustEndpointDeps } from './trust.endpoint.js';
import { uiDataEndpoints, type UiDataDeps } from './ui-data.endpoint.js';

export type AdministrationEndpointDeps = AdminPluginsDeps &
  AdminSettingsDeps &
  CapabilitiesDeps &
  ConfigDeps &
  DatabaseDeps &
  PageDataDeps &
  SetupDeps &
  TrustEndpointDeps &
  UiDataDeps;

export function administrationEndpoints(deps: AdministrationEndpointDeps): Endpoint[] {
  return [
    ...capabilityEndpoints(deps),
    ...configEndpoints(deps),
    ...adminPluginsEndpoints(deps),
    ...adminSettingsEndpoints(deps),
    settingsDescriptions(deps),
    ...setupEndpoints(deps),
    trustEndpoint(deps),
    ...databaseEndpoints(deps),
    ...uiDataEndpoints(deps),
    ...pageDataEndpoints(deps),
  ];
}
