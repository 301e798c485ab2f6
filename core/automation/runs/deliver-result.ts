import { OperationalError, type Principal } from '@quire/registry';
import type { JobRecord, ResultFile } from '../../jobs/index.js';
import { Scratch } from '../../operations/runner/index.js';
import type { DestinationSpec } from '../automations/model.js';
import { measuredHere } from '../connectors/copied-file.js';
import type { DeliveredFile } from '../connectors/model.js';
import { deliveryIdOf, UPLOADED, type DeliveryState, type ItemRecord } from '../items/item-record.js';
import type { ItemChange } from '../items/item-store.js';
import { WorkLeft } from './item-ends.js';
import type { ItemWorkDeps } from './item-work-deps.js';
import type { RunOutput } from './run-records.js';

/**
 * Delivers every file of a result to every destination that does not have it yet, and stores each step with `store`.
 * Rejects with the error of the first destination that fails, after the others had their turn.
 */
export async function deliverResult(
  deps: ItemWorkDeps,
  {
    item,
    record,
    files,
  }: { readonly item: ItemRecord; readonly record: JobRecord; readonly files: readonly ResultFile[] },
  principal: Principal,
  store: ChangeStore,
): Promise<readonly RunOutput[]> {
  const { destinations } = deps.automation.content;
  const board = new DeliveryBoard(item.deliveries, store);
  if (destinations.length > 0) {
    let scratch: Scratch | undefined;
    const place = async (): Promise<string> => (scratch ??= await Scratch.create(deps.scratchRoot)).filePath();
    let failure: { readonly error: unknown } | undefined;
    try {
      for (const [index, file] of files.entries()) {
        const open = destinations.filter(({ id }) => !board.of(id, index).done);
        if (open.length === 0) continue;
        const delivered = await fileOfResult(deps, { item, record, file }, place);
        await noteOutput(deps, item, delivered);
        for (const destination of open)
          await deliverTo(deps, {
            item,
            destination,
            index,
            file: delivered,
            principal,
            board,
            files: files.length,
          }).catch((error: unknown) => {
            if (error instanceof WorkLeft) throw error;
            failure ??= { error };
          });
      }
    } finally {
      await scratch?.dispose();
    }
    if (failure !== undefined) throw failure.error;
  }
  return files.map(({ fileName, fileSize, contentType, fileId }, index) => ({
    name: fileName,
    size: fileSize,
    contentType,
    fileId: destinations.length === 0 ? fileId : null,
    places: destinations.flatMap(({ id }) => board.of(id, index).place ?? []),
  }));
}

/** Where changes of an item are stored. */
export interface ChangeStore {
  set(change: ItemChange): Promise<void>;
  /** Stores a change together with the next one. It may be lost in a crash. */
  setLater(change: ItemChange): void;
}

/** The deliveries of an item, as they are stored. */
class DeliveryBoard {
  #states: readonly DeliveryState[];

  constructor(
    states: readonly DeliveryState[],
    private readonly store: ChangeStore,
  ) {
    this.#states = states;
  }

  of(destination: string, file: number): DeliveryState {
    const found = this.#states.find((one) => one.destination === destination && one.file === file);
    return found ?? { destination, file, done: false, place: null, note: null };
  }

  async change(state: DeliveryState): Promise<void> {
    const others = this.#states.filter((one) => one.destination !== state.destination || one.file !== state.file);
    this.#states = [...others, state];
    const change = { deliveries: this.#states };
    // Whoever has remembered something finds out after a crash that it was done.
    if (state.done && state.note !== null) this.store.setLater(change);
    else await this.store.set(change);
  }
}

interface OneDelivery {
  readonly item: ItemRecord;
  readonly destination: DestinationSpec;
  readonly index: number;
  readonly file: DeliveredFile;
  readonly principal: Principal;
  readonly board: DeliveryBoard;
  /** Number of files of the result. */
  readonly files: number;
}

async function deliverTo(
  { automation, connectors, signal, sources }: ItemWorkDeps,
  { item, destination, index, file, principal, board, files }: OneDelivery,
): Promise<void> {
  signal.throwIfAborted();
  const open = await connectors.destination(destination, principal);
  const { place, inputVersion } = await open.deliver(file, {
    id: deliveryIdOf(item, destination.id, index),
    automation: automation.name,
    input: item.sourceId === UPLOADED && item.name === '' ? null : item.name,
    from: async () => {
      const type = item.sourceId === UPLOADED ? undefined : (await sources.get(item.sourceId))?.type;
      return type === undefined ? null : { type, key: item.key, version: item.version };
    },
    files,
    note: board.of(destination.id, index).note,
    remember: (note) => board.change({ ...board.of(destination.id, index), note }),
  });
  const replaced = inputVersion === undefined ? {} : { inputVersion };
  await board.change({ ...board.of(destination.id, index), done: true, place, ...replaced });
}

/** A result as a file on disk: that of the store, or a copy at a new path. */
async function fileOfResult(
  { jobs, automation }: ItemWorkDeps,
  { item, record, file }: { readonly item: ItemRecord; readonly record: JobRecord; readonly file: ResultFile },
  place: () => Promise<string>,
): Promise<DeliveredFile> {
  const { fileId, fileName, fileSize, contentType } = file;
  let copied = false;
  const path = await (
    await jobs()
  ).resultOnDisk(record, fileId, () => {
    copied = true;
    return place();
  });
  // The job was deleted in between; the next attempt finds that out.
  if (path === undefined) throw new OperationalError('STORE_DOWN');
  // Its job is deleted once everything is delivered, unless a caller has started it. A copy is not flushed.
  const linkable = !copied && item.sourceId !== UPLOADED && automation.content.destinations.length === 1;
  return { name: fileName, size: fileSize, mediaType: contentType, path, linkable };
}

/** Before it is delivered, so that no automation takes it without knowing where it came from. */
async function noteOutput(
  { items, clock, automation }: ItemWorkDeps,
  item: ItemRecord,
  { path, size }: DeliveredFile,
): Promise<void> {
  const { sha256 } = await measuredHere(path, size).catch((cause: unknown) => {
    // As above: the job was deleted, or the disk does not answer.
    throw new OperationalError('STORE_DOWN', {}, { cause });
  });
  const lineage = [...item.lineage.split(' '), automation.id].filter((id) => id !== '').join(' ');
  await items.wrote(sha256, lineage, clock.now().getTime());
}
