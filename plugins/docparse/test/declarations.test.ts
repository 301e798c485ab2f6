import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import Joi from 'joi';
import { verifyPlugin } from '@quire/catalog';
import plugin from '../src/index.js';

describe('declarations of the plugin docparse', () => {
  it('pass the check of the loader', () => {
    const { quire } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { quire: { prefixes: string[] } };
    expect(verifyPlugin(plugin, quire.prefixes, Joi).faults).to.deep.equal([]);
  });

  it('are all named in its README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    for (const { method, path, summary } of plugin.endpoints) {
      expect(readme).to.include(`${method} /api/v1/${path}`);
      expect(readme).to.include(summary);
    }
  });
});
