import type { FieldFault } from '../errors/classes.js';
import type { Principal } from './principal.js';

/** The settings of a saved connection that a caller may use. */
export interface OpenConnection {
  readonly name: string;
  /** Members depend on the type. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Saved connections to other services, which a plugin offers. Available in the server only. */
export interface SavedConnections {
  /**
   * Returns the settings of a connection of this type, such as `S3`. Throws CONNECTION_UNUSABLE, with the same text for
   * a missing connection and for another user's.
   */
  open(caller: Principal, id: number, type: string): Promise<OpenConnection>;
  /** Whether there is a connection with this id; without it, access cannot be granted to connections. */
  exists?(id: number): Promise<boolean>;
}

/** Kinds of things to which administrators grant access. */
export type GrantedResource = 'PORTAL' | 'INTEGRATION_CONFIG' | 'OPERATION' | 'CATEGORY';

/** Access that administrators have granted to users and teams. Available in the server only. */
export interface AccessGrants {
  /** What is granted to the caller or the caller's team; MANAGE includes USE. */
  permissionOf(resource: GrantedResource, id: string, caller: Principal): 'USE' | 'MANAGE' | undefined;
  /** Takes every grant of a resource back that no longer exists. */
  forget(resource: GrantedResource, id: string): Promise<void>;
}

/** What on this server names saved connections, besides the pipelines of `SavedPipelines`. */
export interface ConnectionUses {
  /** `named`: what the caller may see, in words; `others`: how many there are besides. */
  of(id: number, caller: Principal): Promise<{ readonly named: readonly string[]; readonly others: number }>;
}

/** Tries connections before they are saved, where this server knows how. */
export interface ConnectionTrials {
  /** What keeps these settings from working now, with pointers into them; none for types that are not tried. */
  faultsOf(type: string, config: OpenConnection['config'], signal: AbortSignal): Promise<readonly FieldFault[]>;
}
