import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A position in a bundle, as V8 writes it. */
const PLACE = /(file:\/\/[^\s()]*\/dist\/bundle\/[^\s()]+?\.js):(\d+):(\d+)/;

/** Large: kept only as long as V8 likes. */
const maps = new Map<string, WeakRef<SourceMap>>();

/**
 * Makes stack traces of this process name the source files instead of the bundles (tools/bundle.mjs). Maps are read
 * when a stack is first looked at, since errors that nobody prints are common and these maps are not small; Node's own
 * `--enable-source-maps` reads them with the code, and has its way where it is set.
 */
export function nameSourcesInStacks(): void {
  if (process.sourceMapsEnabled) return;
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${withSource(String(frame))}`)].join('\n');
}

function withSource(frame: string): string {
  const [place, url = '', line = '', column = ''] = PLACE.exec(frame) ?? [];
  if (place === undefined) return frame;
  try {
    const file = fileURLToPath(url);
    const found = mapOf(file).findEntry(Number(line) - 1, Number(column) - 1);
    return isMapping(found) ? frame.replace(place, sourcePlace(file, found)) : frame;
  } catch {
    // Without its map, or with no stack left to read it, the place in the bundle is the best there is.
    return frame;
  }
}

function mapOf(file: string): SourceMap {
  let map = maps.get(file)?.deref();
  if (map === undefined) {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    maps.set(file, new WeakRef(map));
  }
  return map;
}

function isMapping(found: SourceMapping | object): found is SourceMapping {
  return 'originalSource' in found;
}

function sourcePlace(file: string, { originalSource, originalLine, originalColumn }: SourceMapping): string {
  const source = pathToFileURL(resolve(dirname(file), originalSource)).href;
  return `${source}:${originalLine + 1}:${originalColumn + 1}`;
}
