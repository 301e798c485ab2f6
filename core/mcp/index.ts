export { createMcp } from './create-mcp.js';
export { createMcpLogin } from './create-mcp-login.js';
