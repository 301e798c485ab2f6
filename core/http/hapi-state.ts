import type { ResponseObject, RouteOptions } from '@hapi/hapi';
import type { Access, Deprecation, Principal } from '@quire/registry';
import type { LateRoutes } from './routes/late-routes.js';

/** Members that this server adds to Hapi's routes (`settings.plugins.quire`), servers and requests (`app`). */
declare module '@hapi/hapi' {
  interface PluginSpecificConfiguration {
    quire?: {
      readonly access?: Access;
      readonly operation?: string;
      /** A GET that changes data. */
      readonly changes?: true;
      readonly deprecated?: Deprecation;
      /** Path of the operation or endpoint in the table of switches. */
      readonly switched?: string;
      /** Rejects a call before its body is read, or returns the most bytes that the body may have. */
      readonly admit?: (request: Request) => Promise<number | undefined>;
      /** The body is written to disk whatever its type. */
      readonly keepsBody?: boolean;
      /** The route's part of the API documentation, created when the document is first requested. */
      readonly docs?: () => Pick<RouteOptions, 'description' | 'notes' | 'tags' | 'plugins'>;
    };
  }
  interface PluginProperties {
    /** Missing where no console is served. */
    'quire-console'?: {
      /** The console's page for an address without anything at it; undefined if a program asks, or for a program. */
      readonly pageNotFound: (request: Request, h: ResponseToolkit) => ResponseObject | undefined;
    };
  }
  interface ServerApplicationState {
    /** The routes of operations and endpoints, also those that Hapi does not have yet. */
    routes?: LateRoutes;
  }
  interface RequestApplicationState {
    principal?: Principal;
    requestId: string;
    /** The client's address, resolved through trusted proxies. */
    address: string;
    /** Address of the other end of the connection. */
    peer: string;
    /** The connection comes from a trusted proxy. */
    viaProxy?: boolean;
    /** Size limit of the body in bytes, if the endpoint or the caller's role has its own. */
    mostBytes?: number;
  }
}
