import { expect } from 'chai';
import { readFileSync } from 'node:fs';

const bundle = new URL('../../../dist/bundle/', import.meta.url);

/** The npm packages that a module of the built package loads at once, with all that it imports. */
function packagesOf(entry: string): Set<string> {
  const [found, seen] = [new Set<string>(), new Set<string>()];
  const look = (module: URL): void => {
    if (seen.has(module.href)) return;
    seen.add(module.href);
    for (const [, name = ''] of readFileSync(module, 'utf8').matchAll(/(?:from|import)"([^"\s]+)"/g)) {
      if (name.startsWith('.')) look(new URL(name, module));
      else if (!name.startsWith('node:')) found.add(name);
    }
  };
  look(new URL(entry, bundle));
  return found;
}

describe('What drawing pages loads', () => {
  it('contains no fonts, forms or editing of documents', () => {
    expect([...packagesOf('engines/rendering/index.js')]).to.include.members(['@pdf-lib/standard-fonts', 'pdf-lib']);
    expect([...packagesOf('engines/rendering/pages/index.js')]).to.deep.equal([]);
    expect([...packagesOf('images/colour-mode/index.js')]).to.deep.equal([]);
  });
});
