import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { file, post } from '../support/client.js';
import { startReceiver } from '../support/receiver.js';

describe('system.disableSanitize', function () {
  this.timeout(120_000);

  it('prints forms as well, and still runs no script and loads nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unsanitized-'));
    const other = await startReceiver();
    const page =
      `<p>Page</p><form><input size="30" value="Field value"></form><img src="${other.url}/seen.png">` +
      `<script>document.write('Scripted'); fetch('${other.url}/called')</script>`;
    const textWith = async (disableSanitize: boolean): Promise<string> => {
      const server = await createTestServer({
        settings: { system: { disableSanitize } },
        plugins: ['@quire/plugin-convert'],
      });
      try {
        await server.start();
        const answer = await post(`${server.url}/api/v1/convert/html/pdf`, [file(Buffer.from(page), 'page.html')]);
        expect(answer.status, answer.body.toString().slice(0, 300)).to.equal(200);
        const path = join(folder, 'page.pdf');
        writeFileSync(path, answer.body);
        return execFileSync('pdftotext', [path, '-']).toString();
      } finally {
        await server.stop();
      }
    };
    try {
      expect(await textWith(false))
        .to.include('Page')
        .and.not.include('Field value');
      expect(await textWith(true))
        .to.include('Field value')
        .and.not.include('Scripted');
      expect(other.calls).to.deep.equal([]);
    } finally {
      await other.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
