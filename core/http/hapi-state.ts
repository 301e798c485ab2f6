import type { RouteOptions } from '@hapi/hapi';
import type { Access, Deprecation, Principal } from '@quire/registry';

/** What this server adds to Hapi's routes (`settings.plugins.quire`) and requests (`request.app`). */
declare module '@hapi/hapi' {
  interface PluginSpecificConfiguration {
    quire?: {
      readonly access?: Access;
      readonly operation?: string;
      readonly deprecated?: Deprecation;
      /** Path by which the route can be switched off. */
      readonly switched?: string;
      /** Rejects a call before its body is read, or returns the most bytes that the body may have. */
      readonly admit?: (request: Request) => Promise<number | undefined>;
      /** The route's part of the API documentation, created when somebody asks for it. */
      readonly docs?: () => Pick<RouteOptions, 'description' | 'notes' | 'tags' | 'plugins'>;
    };
  }
  interface RequestApplicationState {
    principal?: Principal;
    requestId: string;
    /** The client's address, behind trusted proxies. */
    address: string;
    /** The connection is that of a trusted proxy. */
    viaProxy?: boolean;
    /** The most bytes that the body may have, where its endpoint says so. */
    mostBytes?: number;
  }
}
