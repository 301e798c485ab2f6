import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { type KeyKind, openssl, pyhankoPython, verifyWithPyhanko } from '../../../../test/pki/index.js';
import { type CertSignServer, fileAt, password, path, refusal, startCertSignServer } from './cert-sign-server.js';

const has = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** Keys that Poppler's library cannot verify: keys restricted to RSA-PSS, and Ed25519. */
const UNKNOWN_TO_POPPLER = new Set(['rsa-pss {}', 'ed25519 {}']);

describe('cert-sign over HTTP', function () {
  this.timeout(60_000);
  let signing: CertSignServer;
  /** Every signed file with its number of signatures; the last test verifies them all with other programs. */
  const signed: { readonly title: string; readonly file: string; readonly signatures: number }[] = [];

  before(async () => {
    signing = await startCertSignServer();
  });

  after(() => signing.stop());

  /** Expects a signed file that begins with every byte of the input, and keeps it for the verifiers. */
  async function keep(
    title: string,
    answer: OperationAnswer,
    signatures = 1,
    before = signing.plain,
  ): Promise<FormFile> {
    expect(answer.status, `${title}: ${Buffer.from(answer.bytes).toString().slice(0, 400)}`).to.equal(200);
    expect(Buffer.from(answer.bytes).subarray(0, before.bytes.length).equals(before.bytes), title).to.equal(true);
    const file = join(signing.folder, `signed-${signed.length}.pdf`);
    await writeFile(file, answer.bytes);
    signed.push({ title, file, signatures });
    return { name: 'signed.pdf', bytes: answer.bytes };
  }

  it('signs with a keystore, and says what the contract says', async () => {
    const { withAnn } = signing;
    const answer = await withAnn({ reason: 'Approved', location: 'Köln', name: 'Ann' });
    await keep('PKCS12', answer);
    expect(answer.fileName).to.equal('plain_signed.pdf');
    expect(answer.headers.get('x-tool-report')).to.match(/signatureLevel.{1,3}B-B/);
    const text = Buffer.from(answer.bytes).toString('latin1');
    expect(text)
      .to.match(/\/Filter\s*\/Adobe\.PPKLite/)
      .and.to.match(/\/SubFilter\s*\/ETSI\.CAdES\.detached/)
      .and.to.match(/\/M\s*\(D:20/);
    expect(text).to.match(/\/Rect\s*\[\s*0 0 0 0\s*\]/);
  });

  it('takes a PFX, PEM in all its forms, JKS and the key of the server', async () => {
    const { folder, authority, ann, annStore, storeOf, call } = signing;
    await keep(
      'PFX, legacy',
      await call({ certType: 'PFX', password }, { p12File: await storeOf(ann, { legacy: true }) }),
    );
    const certFile = {
      name: 'ann.pem',
      bytes: new TextEncoder().encode(`${await readFile(ann.certificateFile, 'utf8')}${await authority.chainPem()}`),
    };
    await keep('PEM', await call({ certType: 'PEM' }, { privateKeyFile: await fileAt(ann.keyFile), certFile }));
    for (const [title, args] of [
      ['sealed.pem', ['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', `pass:${password}`]],
      ['traditional.pem', ['ec', '-aes128', '-passout', `pass:${password}`]],
      ['key.der', ['pkcs8', '-topk8', '-nocrypt', '-outform', 'DER']],
    ] as const) {
      const target = join(folder, title);
      await openssl(folder, [...args, '-in', ann.keyFile, '-out', target]);
      await keep(
        `PEM, ${title}`,
        await call({ certType: 'PEM', password }, { privateKeyFile: await fileAt(target), certFile }),
      );
    }
    await keep(
      'JKS that is PKCS#12',
      await call(
        { certType: 'JKS', password, alias: 'signer' },
        { jksFile: { name: 'store.jks', bytes: annStore.bytes } },
      ),
    );
    if (has('keytool')) {
      await writeFile(join(folder, 'ann.p12'), annStore.bytes);
      execFileSync(
        'keytool',
        [
          '-importkeystore',
          '-srckeystore',
          'ann.p12',
          '-srcstorepass',
          password,
          '-destkeystore',
          'ann.jks',
          '-deststoretype',
          'JKS',
          '-deststorepass',
          password,
          '-noprompt',
        ],
        { cwd: folder, stdio: 'ignore' },
      );
      await keep('JKS', await call({ certType: 'JKS', password }, { jksFile: await fileAt(join(folder, 'ann.jks')) }));
    }
    const own = await call({ certType: 'SERVER', showSignature: true });
    expect(own.status).to.equal(200);
    expect(pdfsig(await kept(own)))
      .to.match(/Signature is Valid/)
      .and.to.contain('Quire Inc Server');
  });

  it('signs with every kind of key that signatures know', async () => {
    const { authority, storeOf, call, withAnn } = signing;
    for (const [kind, params] of [
      ['rsa2048', {}],
      ['rsa2048', { rsaPss: true }],
      ['rsa-pss', {}],
      ['p384', {}],
      ['p521', {}],
      ['ed25519', {}],
    ] as readonly (readonly [KeyKind, Record<string, unknown>])[]) {
      const p12File = await storeOf(await authority.issue({ name: `Key ${kind}`, key: kind }));
      await keep(
        `${kind} ${JSON.stringify(params)}`,
        await call({ certType: 'PKCS12', password, ...params }, { p12File }),
      );
    }
    expect((await refusal(withAnn({ rsaPss: true }))).slice(0, 2)).to.deep.equal([400, 'INPUT_INVALID']);
  });

  it('adds a time stamp where a level or an authority is named', async () => {
    const { root, stamper, pki, withAnn } = signing;
    for (const params of [
      { signatureLevel: 'b-t' },
      { tsaUrl: `${pki.url}/tsr` },
      { signatureLevel: '', tsaUrl: `${pki.url}/tsr`, showSignature: 'yes' },
    ]) {
      pki.requests.length = 0;
      const answer = await withAnn(params);
      await keep(`B-T ${JSON.stringify(params)}`, answer);
      expect(answer.headers.get('x-tool-report')).to.contain('B-T');
      // A digest and a number leave, and nothing of the document.
      expect(pki.requests.map(({ method, body }) => [method, body.length < 100])).to.deep.equal([['POST', true]]);
    }
    expect((await refusal(withAnn({ tsaUrl: 'http://tsa.example.com/' }))).slice(0, 2)).to.deep.equal([
      400,
      'TSA_NOT_ALLOWED',
    ]);
    // Never the document without the stamp that was asked for.
    pki.route('/tsr', () => ({ type: 'text/html', bytes: Buffer.from('<html>login</html>') }));
    expect((await refusal(withAnn({ signatureLevel: 'B-T' }))).slice(0, 2)).to.deep.equal([502, 'REMOTE_ANSWER']);
    pki.timeStamps('/tsr', root, stamper);
  });

  it('signs again, after a time stamp, in encrypted files and in those with object streams', async () => {
    const { folder, authority, url, plain, storeOf, call, withAnn } = signing;
    const once = await keep('first', await withAnn({ showSignature: true }));
    const bob = await storeOf(await authority.issue({ name: 'Bob', key: 'rsa2048' }));
    const twice = await keep(
      'second',
      await call({ certType: 'PKCS12', password, showSignature: true }, { p12File: bob }, once),
      2,
      once,
    );
    const stamped = await callOperation(url, { path: 'security/timestamp-pdf', files: [twice] });
    expect(stamped.status).to.equal(200);
    const stampedFile = { name: 'stamped.pdf', bytes: stamped.bytes };
    await keep('after a time stamp', await withAnn({}, stampedFile), 4, stampedFile);
    for (const [title, args] of [
      ['encrypted', ['--encrypt', '', 'owner', '256', '--']],
      ['object streams', ['--object-streams=generate', '--']],
    ] as const) {
      const source = join(folder, `${title}.pdf`);
      await writeFile(join(folder, 'plain.pdf'), plain.bytes);
      execFileSync('qpdf', [join(folder, 'plain.pdf'), ...args, source]);
      const file = await fileAt(source);
      const first = await keep(title, await withAnn({ showSignature: true }, file), 1, file);
      await keep(`${title}, again`, await withAnn({}, first), 2, first);
    }
  });

  it('certifies, and respects what a certification allows', async () => {
    const { withAnn } = signing;
    const locked = await keep('certified 1', await withAnn({ certificationLevel: 1 }));
    expect((await refusal(withAnn({}, locked))).slice(0, 2)).to.deep.equal([409, 'PDF_SIGNED']);
    const form = await keep('certified 3', await withAnn({ certificationLevel: 3 }));
    const again = await keep('signed after certification', await withAnn({}, form), 2, form);
    expect((await refusal(withAnn({ certificationLevel: 2 }, again))).slice(0, 2)).to.deep.equal([409, 'PDF_SIGNED']);
    expect((await refusal(withAnn({ certificationLevel: 4 }))).slice(0, 2)).to.deep.equal([400, 'INPUT_INVALID']);
  });

  it('lets a certificate sign whose issuer used SHA-1, and says so', async () => {
    const { authority, storeOf, call } = signing;
    const p12File = await storeOf(await authority.issue({ name: 'Sha', digest: 'sha1' }));
    const answer = await call({ certType: 'PKCS12', password }, { p12File });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('x-tool-report')).to.contain('SHA1withECDSA');
  });

  it('keeps neither keystore nor password of a job that has ended', async () => {
    const { server, url, annStore, call } = signing;
    const started = await call({ certType: 'PKCS12', password, async: 'true' }, { p12File: annStore });
    const { jobId } = started.json<{ jobId: string }>();
    let state = '';
    for (let i = 0; i < 250 && state !== 'succeeded'; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      state = ((await (await fetch(`${url}/api/v1/general/job/${jobId}`)).json()) as { status: string }).status;
    }
    expect(state).to.equal('succeeded');
    const { basePath } = server as QuireServer & { readonly basePath: string };
    const marks = [password, Buffer.from(annStore.bytes.subarray(60, 100)).toString('latin1')];
    const holders = async (): Promise<readonly string[]> => {
      const files = execFileSync('find', [basePath, '-type', 'f', '-print0'], { encoding: 'utf8' })
        .split('\0')
        .filter((name) => name !== '');
      expect(files.length).to.be.greaterThan(0);
      // A file that was deleted between listing and reading contains nothing.
      const found = await Promise.all(
        files.map(async (name) => ({ name, text: await readFile(name, 'latin1').catch(() => '') })),
      );
      return found.filter(({ text }) => marks.some((mark) => text.includes(mark))).map(({ name }) => name);
    };
    // Uploads go when the end of the job has been written down.
    let left = await holders();
    for (let i = 0; i < 250 && left.length > 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      left = await holders();
    }
    expect(left).to.deep.equal([]);
  });

  it('signs a form of ten thousand signature fields in its time', async () => {
    const { withAnn } = signing;
    const document = await PDFDocument.create();
    const page = document.addPage([300, 200]);
    const fields = Array.from({ length: 10_000 }, (_, i) =>
      document.context.register(
        document.context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          FT: 'Sig',
          T: PDFString.of(`Signature${i + 1}`),
          Rect: [0, 0, 0, 0],
          P: page.ref,
        }),
      ),
    );
    page.node.set(PDFName.of('Annots'), document.context.obj(fields));
    document.catalog.set(PDFName.of('AcroForm'), document.context.obj({ Fields: fields }));
    const file = { name: 'many.pdf', bytes: await document.save() };
    const answer = await withAnn({}, file);
    expect(answer.headers.get('x-tool-report')).to.contain('Signature10001');
    expect(answer.status).to.equal(200);
  }).timeout(200_000);

  it('is a step of pipelines with the certificate of the server alone', async () => {
    const { url, plain } = signing;
    const pipeline = (parameters: Record<string, unknown>): Promise<OperationAnswer> =>
      callOperation(url, {
        path: '/api/v1/pipeline/handleData',
        files: [plain],
        params: { json: JSON.stringify({ name: 'sign', pipeline: [{ operation: `/api/v1/${path}`, parameters }] }) },
      });
    const done = await pipeline({ certType: 'SERVER' });
    expect(done.status, Buffer.from(done.bytes).toString('latin1').slice(0, 300)).to.equal(200);
    expect(pdfsig(await kept(done))).to.match(/Signature is Valid/);
    for (const [certType, field] of [
      ['PEM', 'privateKeyFile'],
      ['PKCS12', 'p12File'],
      ['PFX', 'p12File'],
      ['JKS', 'jksFile'],
    ]) {
      const [status, , text] = await refusal(pipeline({ certType }));
      expect([status, text.includes(`needs a second file (${field})`)], certType).to.deep.equal([400, true]);
    }
  });

  it('makes signatures that poppler and pyHanko find valid', async function () {
    const { root } = signing;
    expect(signed.length).to.be.greaterThan(20);
    for (const { title, file, signatures } of signed) {
      const found = pdfsig(file);
      // Poppler's library knows RSA-PSS with keys of RSA, and neither keys that are for RSA-PSS alone nor Ed25519;
      // document time stamps it lists and does not verify.
      if (!UNKNOWN_TO_POPPLER.has(title))
        expect(found.match(/Signature is Valid|has not yet been verified/g), `${title}: ${found}`).to.have.length(
          signatures,
        );
      expect(found, title).to.contain('Total document signed');
    }
    if (pyhankoPython() === undefined) return this.skip();
    const verdicts = await verifyWithPyhanko(
      root.own.certificateFile,
      signed.map(({ file }) => file),
    );
    for (const [i, { title, signatures }] of signed.entries()) {
      expect(
        verdicts[i]?.map(({ good }) => good),
        `${title}: ${JSON.stringify(verdicts[i])}`,
      ).to.deep.equal(Array.from({ length: signatures }, () => true));
      if (title.startsWith('B-T')) expect(verdicts[i]?.[0]?.summary).to.contain('TIMESTAMP_TOKEN');
    }
  });

  async function kept(answer: OperationAnswer): Promise<string> {
    const file = join(signing.folder, `kept-${Math.random()}.pdf`);
    await writeFile(file, answer.bytes);
    return file;
  }
  const pdfsig = (file: string): string =>
    execFileSync('pdfsig', ['-nocert', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
});
