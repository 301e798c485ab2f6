import type { PDFContext, PDFDict } from 'pdf-lib';
import type { ObjectCopier } from '../../file/objects/index.js';
import type { NamedDestinations } from '../names/destinations.js';

/** What must read differently in the merged document than it did in one input. */
export interface Rewrites {
  /** Named destinations, by byte string and by name. */
  readonly destStrings: ReadonlyMap<string, string>;
  readonly destNames: ReadonlyMap<string, string>;
  /** Top-level fields: their dictionaries, and their names as actions call them. */
  readonly fieldDicts: ReadonlyMap<PDFDict, string>;
  readonly fieldNames: ReadonlyMap<string, string>;
  /** Full names of these and of all fields below them, as scripts call them. */
  readonly fieldPaths: ReadonlyMap<string, string>;
  /** Fonts of the form's default resources, as /DA calls them. */
  readonly fonts: ReadonlyMap<string, string>;
  /** Structure: added to the parent tree keys that the input has; other keys lead nowhere and are dropped. */
  readonly structOffset: number;
  readonly structKeys: ReadonlySet<number>;
  readonly roles: ReadonlyMap<string, string>;
  readonly classes: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

/** One document while it is grafted onto another: what each part's `merge` verb works on. */
export interface Graft {
  /** 0-based place among the inputs. */
  readonly index: number;
  readonly source: PDFContext;
  readonly catalog: PDFDict;
  readonly copier: ObjectCopier;
  readonly rewrites: Rewrites;
  readonly named: NamedDestinations;
}
