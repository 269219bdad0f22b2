import { spec } from '../spec/index.js';

export const user = { id: '1', paraphrase: 'correct horse battery staple' };
export const users = [user, { id: '2', paraphrase: 'a:paraphrase:with:colons' }];
export const collections = ['books', 'people'];
const credentials = Buffer.from(`${user.id}:${user.paraphrase}`).toString('base64');
export const authorization = `${spec.protocol.challenge.scheme} ${credentials}`;
