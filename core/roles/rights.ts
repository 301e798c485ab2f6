import type { Access } from '@quire/registry';
import { limitNames, storageUses, type Rights } from './model.js';

/** The part of a call that rights decide about. */
export interface RightsCall {
  readonly method: string;
  /** A GET that changes data. */
  readonly changes?: boolean | undefined;
  /** Path of the operation, or of the endpoint of a tool (`general/rotate-pdf`); undefined for all other calls. */
  readonly tool: string | undefined;
}

/** The first path segment. */
export function categoryOf(path: string): string {
  const end = path.indexOf('/');
  return end < 0 ? path : path.slice(0, end);
}

/** Whether an operation may be called; a single operation is decided before its category. */
export function permits({ categories, operations: { allow, deny } }: Rights, operation: string): boolean {
  if (deny.includes(operation)) return false;
  return categories === null || categories.includes(categoryOf(operation)) || allow.includes(operation);
}

/** Returns what the rights lack for a call, as a noun; undefined if nothing. Administrators lack nothing. */
export function lackOf(rights: Rights, access: Access | undefined, call: RightsCall): string | undefined {
  if (rights.areas === null || access?.role === 'public') return undefined;
  if (access?.role === 'admin')
    return access.area !== undefined && rights.areas.includes(access.area)
      ? undefined
      : access.area === undefined
        ? 'this part of the administration, which is for full administrators'
        : `the administration area "${access.area}"`;
  if (call.tool !== undefined && !permits(rights, call.tool)) return `the tool ${call.tool}`;
  return lackOfRight(rights, access?.right, call);
}

function lackOfRight(rights: Rights, right: Access['right'], { method, changes }: RightsCall): string | undefined {
  if (right === 'automations') return rights.automations ? undefined : 'making automations and saved pipelines';
  if (right === 'apiKeys') return rights.apiKeys ? undefined : 'making API keys';
  if (right !== 'storage' || rights.storage === 'use') return undefined;
  if (rights.storage === 'none') return 'stored files';
  const reads = /^(get|head)$/i.test(method) && changes !== true;
  return reads ? undefined : 'changing stored files';
}

/**
 * Returns what `wanted` has beyond `own`, in words; undefined if nothing. Nobody gives others, or takes over from them,
 * what they do not have themselves.
 */
export function exceeding(wanted: Rights, own: Rights): string | undefined {
  if (own.areas === null) return undefined;
  if (wanted.areas === null) return 'those of a full administrator';
  const areas = wanted.areas.filter((area) => own.areas?.includes(area) !== true);
  if (areas.length > 0) return `administration of ${areas.join(', ')}`;
  return beyondTools(wanted, own) ?? beyondUse(wanted, own) ?? beyondLimits(wanted, own);
}

function beyondTools(wanted: Rights, own: Rights): string | undefined {
  if (own.categories !== null) {
    if (wanted.categories === null) return 'the tools of all categories';
    const more = wanted.categories.filter((category) => own.categories?.includes(category) !== true);
    if (more.length > 0) return `the tools of ${more.join(', ')}`;
  }
  const { allow, deny } = wanted.operations;
  const single = [
    ...allow.filter((path) => !deny.includes(path) && !permits(own, path)),
    ...own.operations.deny.filter((path) => permits(wanted, path)),
  ];
  return single.length === 0 ? undefined : `the tools ${single.join(', ')}`;
}

function beyondUse(wanted: Rights, own: Rights): string | undefined {
  if (storageUses.indexOf(wanted.storage) > storageUses.indexOf(own.storage))
    return wanted.storage === 'read' ? 'reading stored files' : 'use of stored files';
  if (wanted.automations && !own.automations) return 'making automations';
  return wanted.apiKeys && !own.apiKeys ? 'making API keys' : undefined;
}

function beyondLimits({ limits: wanted }: Rights, { limits: own }: Rights): string | undefined {
  const name = limitNames.find((each) => {
    const most = own[each];
    const asked = wanted[each];
    return most !== null && (asked === null || asked > most);
  });
  return name === undefined ? undefined : `${name} above ${own[name]}`;
}
