import { expect } from 'chai';
import { unlimited, type Rights } from './model.js';
import { exceeding, lackOf, permits } from './rights.js';

const rights = (more: Partial<Rights> = {}): Rights => ({
  categories: null,
  operations: { allow: [], deny: [] },
  storage: 'use',
  automations: true,
  apiKeys: true,
  areas: [],
  limits: unlimited,
  ...more,
});
const everything = rights({ areas: null });
const tools = (allow: readonly string[], deny: readonly string[]) => ({ operations: { allow, deny } });

describe('rights', () => {
  it('permit categories, single operations beside them, and none that is denied', () => {
    const some = rights({ categories: ['general'], ...tools(['misc/ocr-pdf', 'misc/x'], ['general/merge', 'misc/x']) });
    const permitted = ['general/rotate', 'general/merge', 'misc/ocr-pdf', 'misc/x', 'misc/y', 'generally/z', ''];
    expect(permitted.filter((path) => permits(some, path))).to.deep.equal(['general/rotate', 'misc/ocr-pdf']);
    expect(permits(rights(tools([], ['a/b'])), 'a/b')).to.equal(false);
    expect(permits(rights({ categories: [] }), 'a/b')).to.equal(false);
  });

  it('lack what a call declares', () => {
    const get = { method: 'get', tool: undefined };
    const changing = { ...get, changes: true };
    const reader = rights({ storage: 'read', automations: false, apiKeys: false, areas: ['users'] });
    expect(lackOf(reader, { right: 'storage' }, get)).to.equal(undefined);
    expect(lackOf(reader, { right: 'storage' }, changing)).to.equal('changing stored files');
    expect(lackOf(rights({ storage: 'none' }), { right: 'storage' }, get)).to.equal('stored files');
    expect(lackOf(reader, { right: 'automations' }, get)).to.include('automations');
    expect(lackOf(reader, { right: 'apiKeys' }, get)).to.include('API keys');
    expect(lackOf(reader, { role: 'admin', area: 'users' }, get)).to.equal(undefined);
    expect(lackOf(reader, { role: 'admin', area: 'audit' }, get)).to.include('"audit"');
    expect(lackOf(reader, { role: 'admin' }, get), 'no area').to.include('full administrators');
    for (const access of [{ role: 'admin' }, { right: 'storage' }, undefined] as const)
      expect(lackOf(everything, access, get)).to.equal(undefined);
  });

  it('exceed others by anything that these do not have', () => {
    for (const [wanted, own, beyond] of [
      [everything, rights({ areas: ['users'] }), 'full administrator'],
      [rights({ areas: ['users', 'audit'] }), rights({ areas: ['users'] }), 'audit'],
      [rights(), rights({ categories: ['general'] }), 'all categories'],
      [rights({ categories: ['a', 'b'] }), rights({ categories: ['a'] }), 'b'],
      [rights({ categories: ['a'], ...tools(['b/x'], []) }), rights({ categories: ['a'] }), 'b/x'],
      [rights(), rights(tools([], ['a/x'])), 'a/x'],
      [rights({ categories: ['a'] }), rights(tools([], ['a/x'])), 'a/x'],
      [rights({ storage: 'read' }), rights({ storage: 'none' }), 'reading stored files'],
      [rights(), rights({ storage: 'read' }), 'use of stored files'],
      [rights(), rights({ automations: false }), 'automations'],
      [rights(), rights({ apiKeys: false }), 'API keys'],
      [rights(), rights({ limits: { ...unlimited, uploadMb: 5 } }), 'uploadMb above 5'],
      [
        rights({ limits: { ...unlimited, uploadMb: 6 } }),
        rights({ limits: { ...unlimited, uploadMb: 5 } }),
        'uploadMb above 5',
      ],
    ] as const)
      expect(exceeding(wanted, own)).to.include(beyond);
  });

  it('do not exceed themselves, smaller ones, or those of a full administrator', () => {
    for (const [wanted, own] of [
      [rights(), rights()],
      [everything, everything],
      [rights({ areas: ['users'] }), everything],
      [rights({ categories: ['a'], storage: 'none' }), rights({ areas: ['users'] })],
      [rights(tools([], ['a/x'])), rights(tools([], ['a/x']))],
      [rights({ categories: ['b'] }), rights(tools([], ['a/x']))],
      [rights({ categories: [], ...tools(['a/x'], []) }), rights({ categories: ['a'] })],
      [rights({ categories: [], ...tools(['b/x'], ['b/x']) }), rights({ categories: ['a'] })],
      [rights({ limits: { ...unlimited, uploadMb: 4 } }), rights({ limits: { ...unlimited, uploadMb: 5 } })],
    ] as const)
      expect(exceeding(wanted, own)).to.equal(undefined);
  });
});
