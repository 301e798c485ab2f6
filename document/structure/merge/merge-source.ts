import type { PDFContext, PDFDict } from 'pdf-lib';
import type { ObjectCopier } from '../../file/objects/index.js';
import type { NamedDestinations } from '../names/destinations.js';

/** Renamed and renumbered things of one input in the merged document. */
export interface Rewrites {
  /** Named destinations, by byte string and by name. */
  readonly destStrings: ReadonlyMap<string, string>;
  readonly destNames: ReadonlyMap<string, string>;
  /** Top-level fields: by dictionary, and by the names that actions use. */
  readonly fieldDicts: ReadonlyMap<PDFDict, string>;
  readonly fieldNames: ReadonlyMap<string, string>;
  /** Full names of these fields and of all fields below them, as scripts use them. */
  readonly fieldPaths: ReadonlyMap<string, string>;
  /** Fonts of the form's default resources, by the names that /DA uses. */
  readonly fonts: ReadonlyMap<string, string>;
  /** Offset that is added to the input's parent tree keys; unknown keys are removed. */
  readonly structOffset: number;
  readonly structKeys: ReadonlySet<number>;
  readonly roles: ReadonlyMap<string, string>;
  readonly classes: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

/** An input while it is merged into the result: the argument of every `join`. */
export interface MergeSource {
  /** 0-based position among the inputs. */
  readonly index: number;
  readonly source: PDFContext;
  readonly catalog: PDFDict;
  readonly copier: ObjectCopier;
  readonly rewrites: Rewrites;
  readonly named: NamedDestinations;
}
