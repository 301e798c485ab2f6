import { freemem } from 'node:os';
import type { Logger } from '@quire/registry';
import type { ProgramSupervisor } from '../programs/supervisor.js';

export interface SlowDocumentOptions {
  /** Time after which a document no longer holds others that wait, in ms. */
  readonly slowMs: number;
  /** Time after which the oldest document is ended, if all programs are busy for so long while others wait, in ms. */
  readonly yieldMs: number;
  /** Free memory that another process needs, in bytes. */
  readonly memoryBytes: number;
}

interface Document {
  readonly since: number;
  readonly stop: () => void;
}

const PROGRAM = 'libreoffice';
const LOOK_MS = 500;

/**
 * Watches documents at work, so that one that takes very long does not hold all others: one more process may run
 * meanwhile where memory allows, and when even that one is held, the document that has taken longest is ended.
 */
export class SlowDocuments {
  readonly #atWork = new Set<Document>();
  /** The slow document for which another place was opened. */
  #extra: { readonly document: Document; readonly close: () => void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly programs: Pick<ProgramSupervisor, 'waiting' | 'widen'>,
    private readonly log: Logger,
    private readonly options: SlowDocumentOptions,
  ) {}

  /** True while one more process than usual may run. */
  get widened(): boolean {
    return this.#extra !== undefined;
  }

  /** Call it when work on a document begins, and the result when it has ended. `stop` must end the work soon. */
  watch(stop: () => void): () => void {
    const document = { since: performance.now(), stop };
    this.#atWork.add(document);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return () => {
      this.#atWork.delete(document);
      if (this.#extra?.document === document) {
        this.#extra.close();
        this.#extra = undefined;
      }
      if (this.#atWork.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    const waiting = this.programs.waiting(PROGRAM);
    const [oldest, ...others] = this.#atWork;
    if (waiting === 0 || oldest === undefined) return;
    const { slowMs, yieldMs, memoryBytes } = this.options;
    const age = ({ since }: Document): number => performance.now() - since;
    if (this.#extra === undefined && age(oldest) >= slowMs && freeMemory() >= memoryBytes) {
      this.log.info({ waiting }, 'a document takes long; another LibreOffice is started for those that wait');
      this.#extra = { document: oldest, close: this.programs.widen(PROGRAM) };
    } else if ([oldest, ...others].every((document) => age(document) >= yieldMs)) {
      this.log.warn({ waiting }, 'a document is ended because it took long and others wait');
      oldest.stop();
    }
  }
}

/** Memory that this server may still use, in bytes; within the limit of its container if it has one. */
function freeMemory(): number {
  return typeof process.availableMemory === 'function' ? process.availableMemory() : freemem();
}
