import { OptionError } from './errors.js';

/** An authorised user: an integer id and a secret. */
export interface User {
  readonly id: number;
  readonly paraphrase: string;
}

/** The users and collections of a server that is given none. */
export const defaultUsers: readonly User[] = [
  { id: 1, paraphrase: 'correct horse battery staple' },
  { id: 2, paraphrase: 'a:paraphrase:with:colons' },
  { id: 3, paraphrase: 'smörgåsbord på 北京 ☃' },
];

export const defaultCollections: readonly string[] = ['books', 'people'];

const loneSurrogate = /\p{Surrogate}/u;

/** The user, when it is one; otherwise throws and says what is wrong. */
export function validUser(user: User, option = 'user'): User {
  // A text is likely to be ID:PARAPHRASE, as the command line takes it.
  if (typeof user !== 'object' || user === null)
    throw new OptionError(option, `a value of type ${user === null ? 'null' : typeof user} is no user; { id, paraphrase } is allowed`);
  for (const name of Object.keys(user)) {
    if (name !== 'id' && name !== 'paraphrase') throw new OptionError(option, `a user has no ${name}; id and paraphrase are allowed`);
  }
  if (!Number.isSafeInteger(user.id))
    throw new OptionError(
      option,
      `the id ${typeof user.id === 'string' ? `"${user.id}" is a text` : `${String(user.id)} is not an integer`}; an integer such as 7 is expected`,
    );
  if (typeof user.paraphrase !== 'string' || user.paraphrase === '' || loneSurrogate.test(user.paraphrase)) {
    throw new OptionError(option, `the paraphrase of user ${user.id} is not allowed; a text that is not empty is`);
  }
  return { id: user.id, paraphrase: user.paraphrase };
}

export function validUsers(users: readonly User[], option = 'users'): readonly User[] {
  if (!Array.isArray(users)) throw new OptionError(option, 'a list of { id, paraphrase } is allowed');
  const seen = new Set<number>();
  return users.map((user) => {
    const valid = validUser(user, option);
    if (seen.has(valid.id)) throw new OptionError(option, `the id ${valid.id} stands twice; every user has an id of their own`);
    seen.add(valid.id);
    return valid;
  });
}
