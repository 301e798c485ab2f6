import { expect } from 'chai';
import type { Principal } from '@quire/registry';
import { urgencyOf } from './urgency.js';

describe('the urgency of a job', () => {
  const user: Principal = { id: 'u', name: 'ann', role: 'user', via: 'key' };
  const admin: Principal = { ...user, role: 'admin' };

  it('is read from the Priority header, and is normal if that is not useful', () => {
    const cases: readonly [string | undefined, number][] = [
      [undefined, 3],
      ['', 3],
      ['u=5', 5],
      ['i, u=7', 7],
      ['u=6;x=1, i', 6],
      ['u=1', 1],
      ['u=8', 3],
      ['u=-1', 3],
      ['u=55', 3],
      ['menu=5', 3],
      ['U=5', 3],
    ];
    for (const [header, urgency] of cases) expect(urgencyOf(header, user, false), String(header)).to.equal(urgency);
  });

  it('is raised only for administrators while login is on, and lowered for everybody', () => {
    expect([urgencyOf('u=0', user, true), urgencyOf('u=0', admin, true), urgencyOf('u=7', user, true)]).to.deep.equal([
      3, 0, 7,
    ]);
  });
});
