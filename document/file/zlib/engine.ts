import { constants, type Deflate, type Inflate } from 'node:zlib';

/** What Node's zlib streams consist of (lib/zlib.js); minizlib, which npm itself uses, relies on the same. */
interface Inside {
  readonly _handle?: {
    readonly reset: () => void;
    /** Works on `input` into `output` and writes what is left of both into `_writeState`: output first. */
    readonly writeSync: (
      flush: number,
      input: Uint8Array,
      inputAt: number,
      inputLength: number,
      output: Uint8Array,
      outputAt: number,
      outputLength: number,
    ) => void;
  } | null;
  readonly _writeState?: Uint32Array;
}

/** How many bytes a run wrote and read. */
export interface Written {
  readonly written: number;
  readonly read: number;
}

/**
 * An engine of zlib that is used for one piece of data after another. `node:zlib` makes one for each piece, which takes
 * longer than inflating a page of text and makes work for the garbage collector.
 */
export class ReusedEngine {
  #stream: ((Deflate | Inflate) & Inside) | undefined;

  constructor(private readonly create: () => Deflate | Inflate) {}

  /**
   * Writes all of `input` to `output`. Returns undefined when it does not end there: it is damaged, incomplete or too
   * large, or this Node has no such engine.
   */
  run(input: Uint8Array, output: Uint8Array): Written | undefined {
    const done = this.#write(constants.Z_FINISH, input, output);
    return done === undefined || done.written === output.length ? undefined : done;
  }

  /** Fills `output` with the beginning; undefined when something before its end is damaged, or without an engine. */
  begin(input: Uint8Array, output: Uint8Array): Written | undefined {
    return this.#write(constants.Z_SYNC_FLUSH, input, output);
  }

  #write(flush: number, input: Uint8Array, output: Uint8Array): Written | undefined {
    const stream = (this.#stream ??= this.#made());
    const { _handle: handle, _writeState: state } = stream;
    if (typeof handle?.writeSync !== 'function' || !(state instanceof Uint32Array)) return undefined;
    handle.reset();
    handle.writeSync(flush, input, 0, input.length, output, 0, output.length);
    // Data that is at fault destroys the stream.
    if (stream.destroyed) this.#stream = undefined;
    // By index: taking an array apart makes an iterator.
    const room = state[0] ?? 0;
    const unread = state[1] ?? 0;
    return stream.destroyed ? undefined : { written: output.length - room, read: input.length - unread };
  }

  #made(): (Deflate | Inflate) & Inside {
    return this.create().on('error', () => undefined);
  }
}
