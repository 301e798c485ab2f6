import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Principal } from '@quire/registry';
import { FolderSignatureImages } from '../../src/services/signature-images.js';

const ann: Principal = { id: '5', name: 'ann', role: 'user', roles: ['ROLE_USER'], via: 'session' };
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const child = fileURLToPath(new URL('saving-process.ts', import.meta.url));

describe('saved signatures of a server that is killed while it saves', function killed() {
  this.timeout(60_000);
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'quire-signature-kill-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('are each a whole image with the record that was saved with it', async () => {
    for (let round = 0; round < 4; round++) {
      const saving = spawn(process.execPath, [...process.execArgv, child, base], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => saving.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 37));
      saving.kill('SIGKILL');
      await new Promise((resolve) => saving.once('close', resolve));
      const images = new FolderSignatureImages({ customFiles: base, clock: { now: () => new Date() }, log });
      const [record, ...others] = await images.list(ann);
      expect(others).to.deep.equal([]);
      const fileName = String(record?.dataUrl).split('/').at(-1) ?? '';
      const { width } = await sharp((await images.image(ann, fileName)).bytes).metadata();
      expect(record?.label).to.equal(`${width}`);
      expect(readdirSync(join(base, 'signatures', 'ann'))).to.have.members([fileName, 'one.json']);
      expect(JSON.parse(readFileSync(join(base, 'signatures', 'ann', 'one.json'), 'utf8'))).to.include({
        label: `${width}`,
        id: 'one',
      });
    }
  });
});
