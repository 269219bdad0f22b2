/** What an exchange is within the protocol, by what the request carried. */
export type Role =
  | 'challenge' // no credentials at all
  | 'exchange' // a fresh nonce and correct credentials
  | 'use' // a valid token
  | 'refused-credentials' // wrong credentials or a wrong nonce
  | 'refused-token' // an unknown token
  | 'refused-expired' // an expired token
  | 'unguarded'; // authentication is switched off
