import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { PIECE_BYTES, PieceBuffers } from './piece-buffers.js';

describe('buffers for large files', () => {
  it('are lent up to a number, all or none', () => {
    const buffers = new PieceBuffers(3);
    const first = buffers.take(2);
    expect(first?.map(({ length }) => length)).to.deep.equal([PIECE_BYTES, PIECE_BYTES]);
    expect(buffers.take(2)).to.equal(undefined);
    expect(buffers.take(1)).to.have.length(1);
  });

  it('are lent again after they were given back', () => {
    const buffers = new PieceBuffers(2);
    const first = buffers.take(2) ?? [];
    buffers.give(first);
    expect(buffers.take(2)).to.have.members([...first]);
  });

  it('are never lent again when they were forgotten, and leave room for others', () => {
    const buffers = new PieceBuffers(2);
    const first = buffers.take(2) ?? [];
    buffers.forget(first);
    const second = buffers.take(2) ?? [];
    expect(second).to.have.length(2);
    expect(second.filter((buffer) => first.includes(buffer))).to.deep.equal([]);
  });

  it('are dropped when nobody needs them for a while', async () => {
    const buffers = new PieceBuffers(2, 5);
    buffers.give(buffers.take(2) ?? []);
    expect(buffers.spare).to.equal(2);
    for (let i = 0; i < 200 && buffers.spare > 0; i++) await setTimeout(5);
    expect(buffers.spare).to.equal(0);
  });
});
