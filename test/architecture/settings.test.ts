import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownKeys } from '../../core/settings/index.js';
import { expectNone } from './expect-none.js';
import { projectFiles, root } from './import-graph.js';

/** Keys that are read by names put together at run time, and the expression that reads them. */
const composed: readonly (readonly [keys: RegExp, file: string, expression: string])[] = [
  [/^security\.oauth2\.client\.\w+\.(\w+)$/, 'core/identity/presets.ts', '`${base}.NAME`'],
  [/^security\.validation\.trust\.(\w+)$/, 'core/network/trust/trust-sources.ts', "setting: 'NAME'"],
  [/^premium\.enterpriseFeatures\.audit\.capture(\w+)$/, 'core/audit/captures.ts', "'NAME'"],
  [
    /^premium\.enterpriseFeatures\.databaseNotifications\.(backup|import)s\.(?:successful|failed)$/,
    'core/administration/backups/backup-mails.ts',
    "'NAME'",
  ],
  [
    /^system\.html\.urlSecurity\.block(\w+Networks|Localhost|LinkLocal)$/,
    'core/network/outbound/web-rules.ts',
    "opens('NAME')",
  ],
  [/^system\.html\.urlSecurity\.(blockedDomains|internalTlds)$/, 'core/network/outbound/web-rules.ts', "list('NAME')"],
  [/^system\.html\.urlSecurity\.(\w+)$/, 'core/network/outbound/web-rules.ts', '`${KEYS}.NAME`'],
  [
    /^(?:security\.oauth2|security\.saml2|scim)\.(group(?:Roles|Teams))$/,
    'core/identity/group-rules.ts',
    '`${base}.NAME`',
  ],
  [/^security\.(?:oauth2|saml2)\.(debugLogging)$/, 'core/identity/create-identity.ts', '}.NAME`'],
  [/^security\.(?:oauth2|saml2)\.(\w+)$/, 'core/identity/sign-in-rules.ts', '`${base}.NAME`'],
  [/^security\.saml2\.(idp\w+)$/, 'core/identity/saml/saml-settings.ts', "text('NAME')"],
  [/^aiEngine\.(?:models|rag)\.(\w+)$/, 'plugins/ai-tools/src/services/model-service.ts', "'NAME'"],
  [/^aiEngine\.features\.(\w+)$/, 'registry/contract/language-model.ts', '`aiEngine.features.${feature}`'],
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('settings that act', () => {
  it('are read by something', () => {
    const sources = projectFiles()
      .filter((path) => /^(?:core|plugins|document|cli)\/.*\.(?:ts|mjs)$/.test(path))
      .filter((path) => !/\.test\.ts$|\/test\/|^core\/settings\/keys\//.test(path))
      .map(read)
      .join('\n');
    expectNone(
      knownKeys
        .filter(({ acts, path }) => acts && !sources.includes(`'${path}'`) && !isComposed(path))
        .map(({ path }) => `${path}: nothing reads it; make it act, or say acts: false and what to use instead`),
    );
  });
});

function isComposed(path: string): boolean {
  return composed.some(([keys, file, expression]) => {
    const name = keys.exec(path)?.[1];
    return name !== undefined && read(file).includes(expression.replace('NAME', name));
  });
}
