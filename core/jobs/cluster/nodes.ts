import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '@quire/registry';
import type { Records } from '../../store/index.js';
import type { Backplane } from '../backplane/index.js';
import { digestOf, splitNeed, unmet, type Abilities, type Needs } from './needs.js';
import type { NodeRole, NodeRoleName } from './node-role.js';
import type { SteadyClock } from './steady-clock.js';

/** What a node does at this moment. */
export interface NodeLoad {
  /** Workers with a task, and the most of them. */
  readonly busyWorkers: number;
  readonly workers: number;
  /** Resident memory of the server process, workers excluded. */
  readonly memoryBytes: number;
}

export type BackplaneState = 'connected' | 'disconnected';

/** A node as stored; small, since it is written at every heartbeat and read by others. */
export interface NodeRecord {
  readonly id: string;
  /** Random id of the process: a restarted node has the same name but another `boot`. */
  readonly boot: string;
  readonly role: NodeRoleName;
  readonly version: string;
  readonly host: string;
  /** Where administrators reach it, as its settings say (`cluster.node.internalAddress`). */
  readonly address?: string;
  /** Names of the programs found. */
  readonly programs: readonly string[];
  /** Id of the `AbilitiesRecord`. */
  readonly abilities: string;
  /** Store times in ms. */
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  /** At the last heartbeat; older servers publish none. */
  readonly load?: NodeLoad;
  /** At the last heartbeat; missing where no backplane is set up. */
  readonly backplane?: BackplaneState;
}

/** The operations of nodes; nodes of the same build with the same programs share one record. */
export interface AbilitiesRecord {
  readonly id: string;
  /** `path@version` of each operation, with the version of its plugin. */
  readonly operations: readonly string[];
  readonly usedAtMs: number;
}

/** A node that has stopped without saying so, or that cannot reach the store. */
export interface LostNode {
  readonly id: string;
  readonly role: NodeRoleName;
  readonly version: string;
  readonly host: string;
  /** Where administrators reach it, if its settings say so. */
  readonly address?: string;
  /** RFC 3339 instants, by the store's clock. */
  readonly startedAt: string;
  readonly seenAt: string;
}

/** A running node, as shown to administrators. */
export interface ClusterNode extends LostNode {
  readonly programs: readonly string[];
  readonly operations: Abilities;
  /** True for the node that answers the request. */
  readonly here: boolean;
  /** At the last heartbeat; undefined for a node of an older version. */
  readonly load: NodeLoad | undefined;
  /** At the last heartbeat; undefined where no backplane is set up. */
  readonly backplane: BackplaneState | undefined;
}

export interface NodesDeps {
  readonly records: Records<NodeRecord>;
  readonly abilities: Records<AbilitiesRecord>;
  readonly log: Logger;
  readonly clock: SteadyClock;
  serverTime(): Promise<Date>;
  /** `cluster.node.id`; if empty, an id is generated. */
  readonly id: string;
  readonly role: NodeRole;
  /** `cluster.node.scheme` and `.internalAddress`. */
  readonly address?: string;
  readonly version: string;
  readonly heartbeatMs: number;
  readonly backplane: Pick<Backplane, 'kind' | 'connected'>;
  /** True when other nodes may share the store. */
  readonly shared: boolean;
  programs(): readonly string[];
  /** Operations of this node whose programs are installed. */
  operations(): Abilities;
  load(): NodeLoad;
}

const LEAST_SILENCE_MS = 10_000;
const ABILITIES_KEPT_MS = 24 * 3_600_000;
/** How long a node that fell silent is still known, unless it starts again. */
const LOST_KEPT_MS = 24 * 3_600_000;

/** The nodes that share one store: each publishes what it is and can do, and sends heartbeats. */
export class ClusterNodes {
  readonly #boot = randomUUID();
  readonly #known = new Map<string, Abilities>();
  #id: string;
  #published = '';
  #publishedAtMs = 0;
  #startedAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #look: { readonly at: number; readonly nodes: Promise<readonly ClusterNode[]> } | undefined;
  #closed = false;

  constructor(private readonly deps: NodesDeps) {
    this.#id = deps.id === '' ? `${hostname().slice(0, 40)}-${this.#boot.slice(0, 8)}` : deps.id;
  }

  get id(): string {
    return this.#id;
  }

  get role(): NodeRole {
    return this.deps.role;
  }

  /** Publishes this node and starts its heartbeat; if the store is unreachable, a later heartbeat publishes it. */
  async start(): Promise<void> {
    if (!this.deps.shared) return;
    await this.#beat();
    if (this.#closed) return;
    this.#timer = setInterval(() => void this.#beat(), this.deps.heartbeatMs).unref();
  }

  /** Returns the needs that this node does not meet. */
  unmetHere(needs: Needs): Needs {
    return unmet(needs, this.deps.operations());
  }

  /**
   * Returns the smallest set of needs that any running node leaves unmet: empty when one node meets all of them. At
   * most one heartbeat old. Rejects with STORE_DOWN.
   */
  async unmetAnywhere(needs: Needs): Promise<Needs> {
    if (this.deps.role.runsJobs && this.unmetHere(needs).length === 0) return [];
    let best: Needs = needs;
    for (const { role, operations } of await this.#recent()) {
      if (role === 'web') continue;
      const left = unmet(needs, operations);
      if (left.length < best.length) best = left;
      if (best.length === 0) break;
    }
    return best;
  }

  /** Whether every running node has this ability; at most one heartbeat old. False while the store is away. */
  async allHave(path: string): Promise<boolean> {
    const nodes = await this.#recent().catch(() => undefined);
    return nodes?.every(({ operations }) => operations.has(path)) ?? false;
  }

  /** Returns the running nodes, by id. Rejects with STORE_DOWN. */
  async list(): Promise<readonly ClusterNode[]> {
    return (await this.standing()).nodes;
  }

  /**
   * Returns the running nodes by id, and those that fell silent without being stopped, within the last 24 hours and not
   * started again, latest first; each node is one or the other. Rejects with STORE_DOWN.
   */
  async standing(): Promise<{ readonly nodes: readonly ClusterNode[]; readonly lost: readonly LostNode[] }> {
    const { records, clock, shared } = this.deps;
    if (!shared) return { nodes: [this.#alone()], lost: [] };
    const now = clock.now();
    const known = (await records.find()).filter(({ seenAtMs }) => seenAtMs > now - LOST_KEPT_MS);
    const isLost = ({ seenAtMs }: NodeRecord): boolean => seenAtMs <= now - this.#silenceMs;
    const living = known.filter((node) => !isLost(node)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const lost = known.filter(isLost).sort((a, b) => b.seenAtMs - a.seenAtMs);
    const nodes: ClusterNode[] = [];
    for (const node of living) {
      const { boot, programs, abilities, load, backplane } = node;
      const operations = await this.#abilitiesOf(abilities);
      nodes.push({ ...factsOf(node), programs, operations, here: boot === this.#boot, load, backplane });
    }
    return { nodes, lost: lost.map(factsOf) };
  }

  /** Removes nodes that have long been silent; called by the node that does the upkeep. */
  async sweep(): Promise<void> {
    const { records, abilities, clock } = this.deps;
    await records.deleteMany({}, { atMost: { seenAtMs: clock.now() - LOST_KEPT_MS } });
    await abilities.deleteMany({}, { atMost: { usedAtMs: clock.now() - 2 * ABILITIES_KEPT_MS } });
  }

  /** Removes this node from the list. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.deps.shared) return;
    clearInterval(this.#timer);
    await this.#beating;
    await this.deps.records.delete(this.#id, { boot: this.#boot }).catch(() => undefined);
  }

  /** The only node of a store that cannot be shared; nothing about it is stored. */
  #alone(): ClusterNode {
    const { role, version, address, clock, programs, operations, load } = this.deps;
    const seenAtMs = clock.now();
    return {
      id: this.#id,
      role: role.name,
      version,
      host: hostname(),
      ...(address === undefined ? {} : { address }),
      startedAt: new Date(seenAtMs - process.uptime() * 1000).toISOString(),
      seenAt: new Date(seenAtMs).toISOString(),
      programs: programs(),
      operations: operations(),
      here: true,
      load: load(),
      backplane: undefined,
    };
  }

  get #silenceMs(): number {
    return Math.max(LEAST_SILENCE_MS, 3 * this.deps.heartbeatMs);
  }

  #recent(): Promise<readonly ClusterNode[]> {
    const now = performance.now();
    if (this.#look === undefined || now - this.#look.at > Math.min(this.deps.heartbeatMs, 5000)) {
      const nodes = this.list();
      nodes.catch(() => (this.#look = undefined));
      this.#look = { at: now, nodes };
    }
    return this.#look.nodes;
  }

  /** Sends a heartbeat; never two at once, so that a slow store is not asked twice. */
  #beat(): Promise<void> {
    this.#beating ??= this.#publish()
      .catch((error: unknown) =>
        this.deps.log.warn({ error: String(error) }, 'the heartbeat of this node could not be written to the store'),
      )
      .finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async #publish(): Promise<void> {
    const { records, clock, log } = this.deps;
    await clock.follow(() => this.deps.serverTime());
    const seenAtMs = clock.now();
    const digest = await this.#publishAbilities(seenAtMs);
    if (this.#startedAtMs !== 0) {
      if (
        (await records.update(
          this.#id,
          { set: { seenAtMs, abilities: digest, load: this.deps.load(), ...this.#backplane() } },
          { boot: this.#boot },
        )) !== undefined
      )
        return;
      const other = await records.get(this.#id);
      if (other !== undefined) {
        const taken = this.#id;
        this.#id = `${taken}-${this.#boot.slice(0, 8)}`;
        log.warn(
          { id: taken, now: this.#id },
          'another node has the same cluster.node.id; this node uses a different one',
        );
      }
    } else this.#startedAtMs = seenAtMs;
    if (this.#closed) return;
    const { role, version, address } = this.deps;
    await records.put({
      id: this.#id,
      boot: this.#boot,
      role: role.name,
      version,
      host: hostname(),
      ...(address === undefined ? {} : { address }),
      programs: this.deps.programs(),
      abilities: digest,
      startedAtMs: this.#startedAtMs,
      seenAtMs,
      load: this.deps.load(),
      ...this.#backplane(),
    });
  }

  #backplane(): Pick<NodeRecord, 'backplane'> {
    const { kind, connected } = this.deps.backplane;
    return kind === undefined ? {} : { backplane: connected ? 'connected' : 'disconnected' };
  }

  /** Stores what this node can do: when it has changed, and now and then so that the record is not removed as stale. */
  async #publishAbilities(now: number): Promise<string> {
    const abilities = this.deps.operations();
    const operations = [...abilities].map(([path, version]) => `${path}@${version}`).sort();
    const id = digestOf(operations);
    if (id !== this.#published || now - this.#publishedAtMs > ABILITIES_KEPT_MS / 24) {
      await this.deps.abilities.put({ id, operations, usedAtMs: now });
      this.#published = id;
      this.#publishedAtMs = now;
    }
    return id;
  }

  async #abilitiesOf(id: string): Promise<Abilities> {
    let known = this.#known.get(id);
    if (known === undefined) {
      const record = await this.deps.abilities.get(id);
      known = new Map(
        (record?.operations ?? []).map((entry) => {
          const { path, version } = splitNeed(entry);
          return [path, version] as const;
        }),
      );
      // The id is a digest of the content, so the content never changes; a cluster has few different builds.
      if (record !== undefined && this.#known.size < 1000) this.#known.set(id, known);
    }
    return known;
  }
}

function factsOf({ id, role, version, host, address, startedAtMs, seenAtMs }: NodeRecord): LostNode {
  const startedAt = new Date(startedAtMs).toISOString();
  return {
    id,
    role,
    version,
    host,
    ...(address === undefined ? {} : { address }),
    startedAt,
    seenAt: new Date(seenAtMs).toISOString(),
  };
}
