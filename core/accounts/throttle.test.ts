import { isQuireError } from '@quire/registry';
import { expect } from 'chai';
import { Throttle, networkOf } from './throttle.js';

const refused = async (work: Promise<void>): Promise<number | undefined> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  if (!isQuireError(error) || error.code !== 'TOO_MANY_ATTEMPTS') throw error;
  return Number(error.data['seconds']);
};
const times = async (n: number, work: (i: number) => Promise<void>): Promise<number> => {
  let refusals = 0;
  for (let i = 0; i < n; i += 1) if ((await refused(work(i))) !== undefined) refusals += 1;
  return refusals;
};

describe('The throttle', () => {
  it('rejects the eleventh failure of an address within a minute, and says how long to wait', async () => {
    const throttle = new Throttle();
    expect(await times(10, () => throttle.failed('192.0.2.1'))).to.equal(0);
    expect(await refused(throttle.failed('192.0.2.1'))).to.be.within(1, 60);
    expect(await refused(throttle.failed('192.0.2.2'))).to.equal(undefined);
  });

  it('starts again after the time window', async () => {
    const throttle = new Throttle({ keys: 2, windowSeconds: 1, addresses: 10 });
    expect(await times(4, () => throttle.failed('192.0.2.1'))).to.equal(2);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await times(2, () => throttle.failed('192.0.2.1'))).to.equal(0);
  });

  it('treats an IPv6 network of one customer as one address', async () => {
    const throttle = new Throttle();
    expect(await times(20, (i) => throttle.failed(`2001:db8:1:2::${i.toString(16)}`))).to.equal(10);
    expect(await refused(throttle.failed('2001:db8:1:3::1'))).to.equal(undefined);
    for (const same of ['2001:db8::1', '2001:0DB8:0:0:1:2:3:4', '2001:db8:0::', '2001:db8::1%eth0'])
      expect(networkOf(same)).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
  });

  it('remembers a limited number of addresses; all others share counts by network', async () => {
    const throttle = new Throttle({ keys: 10, addresses: 5 });
    expect(await times(5, (i) => throttle.failed(`192.0.2.${i}`))).to.equal(0);
    expect(await times(30, (i) => throttle.failed(`198.51.100.${i}`)), 'a crowd of strangers').to.equal(20);
    expect(await refused(throttle.failed('192.0.2.1')), 'one who was there before').to.equal(undefined);
    expect(await refused(throttle.failed('203.0.113.1')), 'another network').to.equal(undefined);
    const flood = new Throttle({ addresses: 5 });
    expect(await times(100, (i) => flood.failed(`2001:db8:1:${i.toString(16)}::1`))).to.be.at.least(80);
    expect(await refused(flood.failed('2001:db8:2::1')), 'another customer than the one with many networks').to.equal(
      undefined,
    );
  });

  const stranger = async (): Promise<boolean> => false;
  const guess = (throttle: Throttle, address: string, name: string): Promise<void> =>
    throttle.admitPassword(address, name, stranger);

  it('checks no more passwords for a name after ten failures from an address, but those for other names', async () => {
    const throttle = new Throttle();
    expect(await times(10, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(0);
    expect(await refused(guess(throttle, '192.0.2.1', 'ANNA'))).to.be.within(1, 60);
    expect(await refused(guess(throttle, '192.0.2.1', 'bert')), 'another name, same address').to.equal(undefined);
    expect(await refused(guess(throttle, '192.0.2.2', 'anna')), 'same name, another address').to.equal(undefined);
  });

  it('checks a password again after the time window', async () => {
    const throttle = new Throttle({ passwords: 2, windowSeconds: 1 });
    expect(await times(4, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(2);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await refused(guess(throttle, '192.0.2.1', 'anna'))).to.equal(undefined);
  });

  it('checks ten passwords for a name when a thousand arrive at once', async () => {
    const throttle = new Throttle();
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => refused(guess(throttle, '192.0.2.1', 'anna'))),
    );
    expect(answers.filter((answer) => answer === undefined)).to.have.length(10);
  });

  it('checks the passwords of an address although one account there fails again and again', async () => {
    const throttle = new Throttle();
    expect(await times(500, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(490);
    expect(await refused(guess(throttle, '192.0.2.1', 'bert'))).to.equal(undefined);
  });

  it('checks only passwords of people known there after an address tried many names', async () => {
    const throttle = new Throttle();
    await times(100, (i) => guess(throttle, '192.0.2.1', `name ${i}`));
    expect(await refused(guess(throttle, '192.0.2.1', 'anna'))).to.be.within(1, 60);
    expect(await refused(throttle.admitPassword('192.0.2.1', 'bert', async () => true))).to.equal(undefined);
    expect(await refused(guess(throttle, '192.0.2.2', 'anna'))).to.equal(undefined);
  });

  it('never delays passwords because of wrong keys', async () => {
    const throttle = new Throttle();
    await times(500, () => throttle.failed('192.0.2.1'));
    expect(await times(10, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(0);
  });

  it('has the limits of the settings', async () => {
    const throttle = new Throttle({ keys: 1, passwords: 3, addressPasswords: 5 });
    expect(await times(4, () => throttle.failed('192.0.2.1'))).to.equal(3);
    expect(await times(4, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(1);
    expect(await times(4, (i) => guess(throttle, '192.0.2.1', `name ${i}`))).to.equal(2);
  });

  it('clears wrong passwords after a right one, and never counts a right one', async () => {
    const throttle = new Throttle();
    await times(9, () => guess(throttle, '192.0.2.1', 'anna'));
    for (let i = 0; i < 200; i += 1) {
      await guess(throttle, '192.0.2.1', 'anna');
      await throttle.passwordRight('192.0.2.1', 'anna');
    }
    expect(await times(9, () => guess(throttle, '192.0.2.1', 'anna'))).to.equal(0);
  });

  it('does not clear wrong codes after a right password without a code', async () => {
    const throttle = new Throttle();
    const refusals = await times(20, async (i) => {
      await guess(throttle, '192.0.2.1', 'anna');
      if (i % 2 === 1) await throttle.passwordOpen('192.0.2.1', 'anna');
    });
    expect(refusals).to.equal(1);
    expect(await refused(guess(throttle, '192.0.2.1', 'anna'))).to.be.within(1, 60);
  });
});
