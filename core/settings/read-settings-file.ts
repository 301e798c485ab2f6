import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { knownKeyByPath, formerNames } from './known-keys.js';
import { didYouMean } from './nearest-key.js';
import type { FaultList } from './settings-error.js';
import type { KnownKey } from './known-key.js';

/** A value from a file, not checked yet. */
export interface FoundValue {
  readonly key: KnownKey;
  readonly value: unknown;
  /** `file:line`, or `environment NAME`. */
  readonly origin: string;
  /** Folder of the file; the working folder for the environment. */
  readonly folder: string;
  /** The place of a part of the value: `[0, 'use']` of a list, `['general/rotate-pdf', 'timeout']` of a map. */
  readonly placeOf?: (part: readonly (string | number)[]) => string;
}

const sections = new Set<string>();
for (const path of [...knownKeyByPath.keys(), ...Object.keys(formerNames)]) {
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) sections.add(path.slice(0, dot));
}

/**
 * Reads one YAML file into the values it holds. A missing file and an empty one hold none.
 * Broken YAML, unknown keys and values where a section stands go to `faults` with file and line.
 */
export function readSettingsFile(
  file: string,
  shownName: string,
  faults: FaultList,
): { readonly found: readonly FoundValue[]; readonly exists: boolean } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { found: [], exists: false };
    faults.add(shownName, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`);
    return { found: [], exists: true };
  }
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: true });
  for (const error of document.errors) {
    const at = error.linePos?.[0];
    const firstLine = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'broken YAML';
    faults.add(
      at === undefined ? shownName : `${shownName}:${at.line}:${at.col}`,
      `is not valid YAML: ${firstLine}. Indent with spaces and put a space after each colon.`,
    );
  }
  if (document.errors.length > 0 || document.contents === null) return { found: [], exists: true };
  const found: FoundValue[] = [];
  if (isScalar(document.contents) && document.contents.value === null) return { found, exists: true };
  if (!isMap(document.contents)) faults.add(`${shownName}:1`, 'holds no map of keys.');
  else new Walk(document, lines, shownName, dirname(file), faults, found).map(document.contents, '', 0);
  return { found, exists: true };
}

class Walk {
  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
    private readonly shownName: string,
    private readonly folder: string,
    private readonly faults: FaultList,
    private readonly found: FoundValue[],
  ) {}

  map(map: YAMLMap, prefix: string, depth: number): void {
    for (const pair of map.items) this.pair(pair, prefix, depth);
  }

  private pair(pair: Pair, prefix: string, depth: number): void {
    const keyNode = pair.key as Node | null;
    const where = this.where(keyNode);
    const name = String(isScalar(keyNode) ? keyNode.value : keyNode);
    const written = prefix === '' ? name : `${prefix}.${name}`;
    const path = (Object.hasOwn(formerNames, written) ? formerNames[written] : undefined) ?? written;
    const value = this.follow(pair.value as Node | null);
    if (value === undefined) {
      this.faults.add(where, `${written} points to an anchor that is not in the file.`);
      return;
    }
    const key = knownKeyByPath.get(path);
    if (key !== undefined) {
      this.leaf(key, value, where);
    } else if (!sections.has(path)) {
      this.faults.add(
        where,
        `${written} is not a known key.${didYouMean(written, [...knownKeyByPath.keys(), ...sections])}`,
      );
    } else if (isMap(value)) {
      // Anchors can make a map contain itself.
      if (depth > 20) this.faults.add(where, `${written} is nested too deeply.`);
      else this.map(value, path, depth + 1);
    } else if (value !== null && !(isScalar(value) && value.value === null)) {
      this.faults.add(where, `${written} is a section: it holds keys, not a value.`);
    }
  }

  private leaf(key: KnownKey, value: Node | null, where: string): void {
    const empty = value === null || (isScalar(value) && value.value === null);
    // A key without a value is one that the operator left as shipped.
    if (empty && (value === null || !isScalar(value) || value.source === '' || key.type !== 'boolean?')) return;
    // Text keeps its spelling: a password of 00123 is not the number 123.
    const asText = key.type === 'string' && isScalar(value) && typeof value.value !== 'string';
    let plain: unknown;
    try {
      plain = asText ? (value.source ?? String(value.value)) : value?.toJS(this.document);
    } catch (error) {
      this.faults.add(where, `${key.path} cannot be read: ${(error as Error).message}.`);
      return;
    }
    const placeOf = (part: readonly (string | number)[]): string => {
      for (let length = part.length; length > 0; length--) {
        const node =
          isMap(value) || (value !== null && 'getIn' in value)
            ? (value as YAMLMap).getIn(part.slice(0, length), true)
            : undefined;
        if (isNode(node)) return this.where(node);
      }
      return where;
    };
    this.found.push({ key, value: plain, origin: where, folder: this.folder, placeOf });
  }

  private follow(node: Node | null): Node | null | undefined {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  private where(node: Node | null): string {
    const offset = node?.range?.[0];
    return offset === undefined ? this.shownName : `${this.shownName}:${this.lines.linePos(offset).line}`;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}
