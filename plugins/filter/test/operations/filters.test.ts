import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import Joi from 'joi';
import { type AnyOperation, InputError } from '@quire/registry';
import { DocumentError } from '@quire/document';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import plugin from '../../src/index.js';

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));

function operation(name: string): AnyOperation {
  const found = plugin.operations.find(({ path }) => path === `filter/${name}`);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** True when the filter keeps the file, and then it must be the same bytes. */
async function keeps(name: string, file: string, params: Record<string, unknown>): Promise<boolean> {
  const filter = operation(name);
  const { value, error } = filter.params(Joi).validate(params);
  if (error !== undefined) throw error;
  const bytes = await fixture(file);
  const context = await fakeContext();
  try {
    const input = fakeFile(file, bytes);
    if (filter.files !== 'each') throw new Error('a filter takes one file at a time');
    const result = await filter.run(input, value, context);
    if ('json' in result) throw new Error('a filter gives files');
    for (const output of result)
      expect(Buffer.from(await context.read(output)).equals(bytes), 'same bytes').to.equal(true);
    return result.length === 1;
  } finally {
    await context.cleanup();
  }
}

describe('filter-page-count', () => {
  it('compares the document with the given count, in that direction', async () => {
    const kept = (pageCount: number, comparator: string): Promise<boolean> =>
      keeps('filter-page-count', 'three-pages.pdf', { pageCount: String(pageCount), comparator });
    expect([await kept(2, 'Greater'), await kept(3, 'Equal'), await kept(5, 'Less')]).to.deep.equal([true, true, true]);
    expect([await kept(3, 'Greater'), await kept(4, 'Equal'), await kept(3, 'Less')]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  it('refuses an unknown comparator and a count that is not an integer', () => {
    const faults = (params: unknown): boolean =>
      operation('filter-page-count').params(Joi).validate(params).error !== undefined;
    expect([
      faults({ pageCount: 1, comparator: 'greater' }),
      faults({ pageCount: '1.5', comparator: 'Less' }),
      faults({ pageCount: 1 }),
    ]).to.deep.equal([true, true, true]);
  });
});

describe('filter-page-size', () => {
  it('compares areas, so orientation, rounding and letter case do not matter', async () => {
    const kept = (standardPageSize: string, comparator: string): Promise<boolean> =>
      keeps('filter-page-size', 'landscape-rotated.pdf', { standardPageSize, comparator });
    expect([await kept('a4', 'Equal'), await kept('A3', 'Less'), await kept('LETTER', 'Greater')]).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect([await kept('A4', 'Greater'), await kept('A4', 'Less'), await kept('LETTER', 'Equal')]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  it('refuses a size without a name', () => {
    expect(
      operation('filter-page-size').params(Joi).validate({ standardPageSize: 'B5', comparator: 'Less' }).error,
    ).not.to.equal(undefined);
  });
});

describe('filter-page-rotation', () => {
  it('sees an inherited rotation and takes the given one as it is', async () => {
    const kept = (rotation: number, comparator: string): Promise<boolean> =>
      keeps('filter-page-rotation', 'landscape-rotated.pdf', { rotation, comparator });
    expect([await kept(90, 'Equal'), await kept(0, 'Greater'), await kept(450, 'Equal')]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });
});

describe('filter-file-size', () => {
  it('takes files of any kind, damaged ones too', async () => {
    expect(await keeps('filter-file-size', 'note.txt', { fileSize: '18', comparator: 'Equal' })).to.equal(true);
    expect(await keeps('filter-file-size', 'damaged.pdf', { fileSize: 1, comparator: 'Less' })).to.equal(false);
  });
});

describe('filter-contains-text', () => {
  it('looks at the chosen pages only', async () => {
    const kept = (params: Record<string, unknown>): Promise<boolean> =>
      keeps('filter-contains-text', 'three-pages.pdf', params);
    expect([
      await kept({ text: 'Second' }),
      await kept({ text: 'second' }),
      await kept({ text: 'Second', pageNumbers: '2n+1' }),
    ]).to.deep.equal([true, false, false]);
  });

  it('drops the file when none of the chosen pages is there', async () => {
    expect(await keeps('filter-contains-text', 'three-pages.pdf', { text: '', pageNumbers: '9' })).to.equal(false);
  });

  it('refuses a page list that is none, and a damaged document', async () => {
    const refusal = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(await refusal(keeps('filter-contains-text', 'three-pages.pdf', { text: 'x', pageNumbers: 'even' })))
      .to.be.instanceOf(InputError)
      .with.property('code', 'PAGES_INVALID');
    expect(await refusal(keeps('filter-contains-text', 'damaged.pdf', { text: 'x' })))
      .to.be.instanceOf(DocumentError)
      .with.property('code', 'PDF_DAMAGED');
  });
});

describe('filter-contains-image', () => {
  it('finds an image within a form, on its page only', async () => {
    const kept = (pageNumbers: string): Promise<boolean> =>
      keeps('filter-contains-image', 'image-on-second.pdf', { pageNumbers });
    expect([await kept('all'), await kept('2'), await kept('1')]).to.deep.equal([true, true, false]);
  });
});
