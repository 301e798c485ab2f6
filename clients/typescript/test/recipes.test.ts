import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makePdf, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { webhookHeaders, webhookKey } from '../../../core/jobs/callbacks/webhook-signature.js';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(packageFolder, '..', '..', 'docs', 'guides', 'clients', 'typescript.md'), 'utf8');
const run = promisify(execFile);

/** The programs of the guide by their headings. */
const recipes = [...guide.matchAll(/^##+ (?:\d+\. )?(.+)\n(?:(?!^#)[^])*?```js\n(import [^]*?)```/gm)].map(
  ([, title = '', code = '']) => ({ title, code }),
);

describe('The recipes of the TypeScript guide', () => {
  const server = serverForTests();
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-recipes-'));
    mkdirSync(join(folder, 'node_modules', '@quire'), { recursive: true });
    mkdirSync(join(folder, 'drafts'));
    symlinkSync(packageFolder, join(folder, 'node_modules', '@quire', 'client'));
    for (const name of ['in.pdf', 'a.pdf', 'b.pdf']) writeFileSync(join(folder, name), await makePdf({ pages: 2 }));
    writeFileSync(join(folder, 'logo.png'), onePixel);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const program = (title: string): string => {
    const recipe = recipes.find((each) => each.title === title);
    if (recipe === undefined) throw new Error(`The guide has no recipe "${title}".`);
    const path = join(folder, `${title.replaceAll(/\W+/g, '-')}.mjs`);
    writeFileSync(path, recipe.code);
    return path;
  };

  const expected: Readonly<Record<string, RegExp>> = {
    'Change a document': /rotated\.pdf \[\]/,
    'Give bytes, blobs and streams': /^\d{3,}\n$/,
    'Use a result as the next input': /^$/,
    'Read facts about a document': /^2 false\n$/,
    'Add a second file': /^$/,
    'Run long work as a job': /succeeded 100\n$/,
    'Chain steps in a pipeline': /^$/,
    'Handle errors': /^\/angle .*90/,
    'Limit time, stop, and repeat safely': /^$/,
    'Operations of plugins': /^$/,
  };

  it('are all run here', () => {
    const titles = recipes.map(({ title }) => title).filter((title) => title !== 'TypeScript and JavaScript');
    expect(titles).to.have.members([...Object.keys(expected), 'Receive call-backs']);
  });

  for (const [title, printed] of Object.entries(expected))
    it(`${title}: runs and prints what it should`, async () => {
      const { stdout, stderr } = await run(process.execPath, [program(title)], {
        cwd: folder,
        env: { ...process.env, QUIRE_URL: server.url },
      });
      expect(stdout).to.match(printed);
      expect(stderr).to.equal('');
    });

  it('Receive call-backs: accepts what the server signed, and nothing else', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const port = await freePort();
    const receiver = spawn(process.execPath, [program('Receive call-backs')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    });
    try {
      await once(receiver.stdout, 'data');
      const body = JSON.stringify({ type: 'job.succeeded', data: { jobId: '1' } });
      const headers = webhookHeaders('msg_1', Math.floor(Date.now() / 1000), body, webhookKey(secret));
      const send = (text: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text });
      expect((await send(body)).status).to.equal(204);
      expect((await send(`${body} `)).status).to.equal(400);
    } finally {
      receiver.kill();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
