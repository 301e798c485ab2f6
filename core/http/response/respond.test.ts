import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from './respond.js';

describe('a file that is sent', () => {
  it('does not end the server when it is gone before it is open, and nobody listens', async () => {
    const body = openFile(join(tmpdir(), 'no such file of quire'), 3);
    await new Promise((resolve) => body.on('close', resolve));
    expect(body.errored).to.have.property('code', 'ENOENT');
  });
});
