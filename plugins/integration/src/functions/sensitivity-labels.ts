import type { JsonValue } from './connection-types.js';

/** A label of sensitivity that a document carries. */
export interface SensitivityLabel {
  /** GUID in lower case. */
  readonly labelId: string;
  readonly labelName: string | null;
  /** `Standard` or `Privileged`, as it is written. */
  readonly method: string | null;
  readonly siteId: string | null;
  readonly setDate: string | null;
  readonly contentBits: number | null;
  /** Whether the content is encrypted under the label. */
  readonly protected: boolean;
}

/** A label that is to be written. */
export interface NewLabel {
  readonly labelId: string;
  readonly labelName?: string;
  readonly method: 'STANDARD' | 'PRIVILEGED';
  /** The tenant, in lower case. */
  readonly siteId: string;
  /** 1 header, 2 footer, 4 watermark, 8 encryption. */
  readonly contentBits: number;
  readonly setDate: Date;
  readonly actionId: string;
}

/** A property of a label: `MSIP_Label_<GUID>_<name>`, as the Microsoft Information Protection SDK documents it. */
const PROPERTY = /^MSIP_Label_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})_([A-Za-z]{1,40})$/i;
const ENCRYPTED_BIT = 8;

/** True for the name of a property of a label. */
export function isLabelProperty(name: string): boolean {
  return PROPERTY.test(name);
}

/** Reads the labels that are switched on, of all tenants, in the order in which the document names them. */
export function readLabels(properties: Readonly<Record<string, string>>): SensitivityLabel[] {
  return [...grouped(properties)]
    .filter(([, values]) => values.get('enabled')?.toLowerCase() === 'true')
    .map(([labelId, values]) => {
      const bits = values.get('contentbits') ?? '';
      const contentBits = /^\d{1,9}$/.test(bits) ? Number(bits) : null;
      return {
        labelId,
        labelName: values.get('name') ?? null,
        method: values.get('method') ?? null,
        siteId: values.get('siteid')?.toLowerCase() ?? null,
        setDate: values.get('setdate') ?? null,
        contentBits,
        protected: ((contentBits ?? 0) & ENCRYPTED_BIT) !== 0,
      };
    });
}

/**
 * The changes of properties that give a document a label: its own are written, and those of other labels of the same
 * tenant go, since a document has one of each tenant. Undefined removes.
 */
export function labelChanges(
  properties: Readonly<Record<string, string>>,
  label: NewLabel,
): Record<string, string | undefined> {
  const changes: Record<string, string | undefined> = {};
  const labelId = label.labelId.toLowerCase();
  const replaced = new Set(
    [...grouped(properties)]
      .filter(([id, values]) => id === labelId || values.get('siteid')?.toLowerCase() === label.siteId)
      .map(([id]) => id),
  );
  for (const name of Object.keys(properties))
    if (replaced.has(PROPERTY.exec(name)?.[1]?.toLowerCase() ?? '')) changes[name] = undefined;
  const values = {
    Enabled: 'true',
    SetDate: `${label.setDate.toISOString().slice(0, 19)}Z`,
    Method: label.method === 'PRIVILEGED' ? 'Privileged' : 'Standard',
    Name: label.labelName,
    SiteId: label.siteId,
    ActionId: label.actionId,
    ContentBits: String(label.contentBits),
  };
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) changes[`MSIP_Label_${labelId}_${name}`] = value;
  return changes;
}

/** Values of each label, by names in lower case. */
function grouped(properties: Readonly<Record<string, string>>): Map<string, Map<string, string>> {
  const labels = new Map<string, Map<string, string>>();
  for (const [name, value] of Object.entries(properties)) {
    const [, id, property] = PROPERTY.exec(name) ?? [];
    if (id === undefined || property === undefined) continue;
    const values = labels.get(id.toLowerCase()) ?? new Map<string, string>();
    labels.set(id.toLowerCase(), values.set(property.toLowerCase(), value));
  }
  return labels;
}

/**
 * Builds the report about labels: the one of this tenant, and up to 20 others. A label without a tenant counts as
 * another's.
 */
export function labelReport(labels: readonly SensitivityLabel[], tenantId: string): Record<string, JsonValue> {
  const own = labels.find(({ siteId }) => siteId === tenantId);
  const told =
    own === undefined
      ? {}
      : {
          labelId: own.labelId,
          labelName: own.labelName,
          method: own.method,
          setDate: own.setDate,
          contentBits: own.contentBits,
          protected: own.protected,
        };
  return {
    labelled: own !== undefined,
    ...told,
    otherTenantLabels: labels
      .filter(({ siteId }) => siteId !== tenantId)
      .slice(0, 20)
      .map(({ labelId, siteId }) => ({ labelId, siteId })),
  };
}
