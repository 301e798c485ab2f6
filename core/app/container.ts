import 'reflect-metadata';
import { container as root, instanceCachingFactory, type DependencyContainer } from 'tsyringe';
import { DefectError, type Token } from '@quire/registry';

export type { DependencyContainer };

/** Returns a new container that shares nothing with other servers in this process. */
export function newContainer(): DependencyContainer {
  return root.createChildContainer();
}

/** Binds a token to a factory that is called once, on first use. */
export function bind<T>(container: DependencyContainer, token: Token<T>, create: () => T): void {
  container.register(token.symbol, { useFactory: instanceCachingFactory(create) });
}

/** Returns the service of a token. Throws CONTRACT_BROKEN for an unknown token. */
export function resolve<T>(container: DependencyContainer, token: Token<T>): T {
  if (!container.isRegistered(token.symbol, true))
    throw new DefectError('CONTRACT_BROKEN', { detail: `no service ${token.name}` });
  return container.resolve<T>(token.symbol);
}
