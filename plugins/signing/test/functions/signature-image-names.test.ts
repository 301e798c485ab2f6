import { expect } from 'chai';
import {
  folderKey,
  folderOfUser,
  idOfImage,
  imageId,
  SHARED_FOLDER,
} from '../../src/functions/signature-image-names.js';

describe('names of saved signatures', () => {
  it('are plain words with dots, and never lead elsewhere', () => {
    for (const id of ['a', 'A-b_c.1', '.a', '-a', 'x'.repeat(100)]) expect(imageId.test(id), id).to.equal(true);
    for (const id of [
      '',
      '.',
      '..',
      'a.',
      'a..b',
      '../a',
      'a/b',
      'a\\b',
      'a\n',
      'a b',
      'ä',
      '~a',
      'a%2e',
      'x'.repeat(101),
    ])
      expect(imageId.test(id), id).to.equal(false);
  });

  it('belong to the id before the last extension', () => {
    expect(['a.png', 'a.JPG', 'a.b.jpeg', 'a.png.png'].map(idOfImage)).to.deep.equal(['a', 'a', 'a.b', 'a.png']);
    for (const name of ['a', 'a.json', 'a.svg', '.png', 'a..png', '~image~a.png', 'a b.png', `${'x'.repeat(101)}.png`])
      expect(idOfImage(name), name).to.equal(undefined);
  });

  it('give users whose names are harmless a folder of that name', () => {
    for (const name of ['ann', 'Ann.Lee', 'ann@example.org', "o'neil+x@example.org", 'CUSTOM_API_USER', 'a-b_c'])
      expect(folderOfUser(name)).to.equal(name);
  });

  it('keep odd names of users apart, inside, and out of the folder of all', () => {
    const odd = [
      '..',
      '.',
      '',
      '.hidden',
      'a/b',
      'a\\b',
      '../../etc',
      'ann.',
      'ALL_USERS',
      'all_users',
      ' ALL_USERS',
      'con',
      'NUL.txt',
      'a\u0000b',
      'a%2fb',
      '%41',
      'ünï',
      'аnn',
      'a b',
      'a:b',
      'x'.repeat(320),
      `${'x'.repeat(319)}y`,
      'ä'.repeat(300),
    ];
    const folders = odd.map(folderOfUser);
    for (const folder of folders) {
      expect(folder, folder)
        .to.match(/^[A-Za-z0-9!#$%&'+=^_~@.-]*$/)
        .and.not.match(/^\.|\.$|\.\./);
      expect(folder.length).to.be.at.most(255);
      expect(folder.toUpperCase()).not.to.equal(SHARED_FOLDER);
    }
    // Accounts are compared without regard to case and blanks around them, so three of these are one.
    expect(new Set(folders.map(folderKey)).size).to.equal(odd.length - 2);
    expect(folderOfUser('ÜNÏ')).to.equal(folderOfUser('ünï'));
    expect(folderKey(folderOfUser('a%2fb'))).not.to.equal(folderKey(folderOfUser('a/b')));
  });
});
