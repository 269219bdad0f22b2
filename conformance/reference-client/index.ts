export { type HydraClient, hydraClient } from './client.js';
export { HydraClientError, LoginRefused, TokenRefused, TooManyRedirects } from './errors.js';
export type { HydraClientOptions } from './options.js';
