import { isQuireError, type Access } from '@quire/registry';
import { expect } from 'chai';
import { Guard, type GuardSettings } from './guard.js';

const guard = (settings: Partial<GuardSettings> = {}): Guard => new Guard({ loginEnabled: true, globalKey: 'right-key', tier: 'enterprise', hosting: 'selfHosted', ...settings });

const answer = (g: Guard, access: Access | undefined, key?: string): string => {
  try {
    return g.check(access, key).name;
  } catch (error) {
    if (isQuireError(error)) return error.code;
    throw error;
  }
};

describe('The guard', () => {
  it('lets everybody in while login is off', () => {
    const open = guard({ loginEnabled: false });
    for (const access of [undefined, { role: 'user' }, { role: 'admin' }, { role: 'public' }] as const) expect(answer(open, access)).to.equal('anonymous');
  });

  it('asks for a key while login is on, also where a route forgot to declare its access', () => {
    for (const access of [undefined, {}, { role: 'user' }, { role: 'admin' }] as const) {
      for (const key of [undefined, '', 'wrong', 'right-ke', 'right-key2', 'x'.repeat(100_000)]) expect(answer(guard(), access, key)).to.equal('KEY_INVALID');
    }
  });

  it('knows the global key as the built-in user, who is no administrator', () => {
    expect(answer(guard(), {}, 'right-key')).to.equal('CUSTOM_API_USER');
    expect(answer(guard(), { role: 'admin' }, 'right-key')).to.equal('ADMIN_ONLY');
  });

  it('answers public routes without a key', () => {
    expect(answer(guard(), { role: 'public' })).to.equal('anonymous');
  });

  it('hides what exists only with login', () => {
    expect(answer(guard({ loginEnabled: false }), { needsLogin: true })).to.equal('LOGIN_REQUIRED');
  });

  it('hides what the licence or the hosting does not have', () => {
    expect(answer(guard({ tier: 'free' }), { licence: 'team' }, 'right-key')).to.equal('LICENCE_REQUIRED');
    expect(answer(guard({ tier: 'team' }), { licence: 'team' }, 'right-key')).to.equal('CUSTOM_API_USER');
    expect(answer(guard(), { hosting: 'cloud' }, 'right-key')).to.equal('LICENCE_REQUIRED');
  });

  it('takes no key as right when none is set', () => {
    expect(answer(guard({ globalKey: '' }), {}, '')).to.equal('KEY_INVALID');
  });

  it('lets no pipeline step reach what its caller may not call', () => {
    const user = guard().check({}, 'right-key');
    expect(guard().allows({ role: 'admin' }, user)).to.equal(false);
    expect(guard().allows({}, user)).to.equal(true);
  });
});
