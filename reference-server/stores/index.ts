export { memoryStore } from './memory.js';
export { type IssuedNonce, NonceSeal, sealOctets } from './nonce-seal.js';
export { redisStore } from './redis.js';
export { slowHash, type UserLookup, withLookup } from './slow-hash.js';
export { after, type MaybePromise, type Store, type TokenRecord } from './store.js';
