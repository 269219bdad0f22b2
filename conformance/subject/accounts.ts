import type { User } from '../options.js';

/** Many services lock an account after three wrong attempts in a row, and a right one begins the count anew. */
const wrongInARow = 2;

interface Waiting {
  readonly users: readonly User[];
  readonly places: number;
  readonly go: (user: User) => void;
}

/** Lends accounts to those who give wrong credentials to them, so that none sees more than two wrong attempts before a right one. */
export class Accounts {
  private readonly lent = new Map<User, number>();
  private waiting: Waiting[] = [];

  /** For one wrong attempt, and the right one after it, on an account of these users that is free. */
  borrow<T>(users: readonly User[], work: (user: User) => Promise<T>): Promise<T> {
    return this.lend(users, 1, work);
  }

  /** For as many wrong attempts as an account bears. */
  borrowWhole<T>(users: readonly User[], work: (user: User, wrongAttempts: number) => Promise<T>): Promise<T> {
    return this.lend(users, wrongInARow, (user) => work(user, wrongInARow));
  }

  private async lend<T>(users: readonly User[], places: number, work: (user: User) => Promise<T>): Promise<T> {
    const user = await new Promise<User>((go) => {
      this.waiting.push({ users, places, go });
      this.serve();
    });
    try {
      return await work(user);
    } finally {
      this.lent.set(user, (this.lent.get(user) ?? 0) - places);
      this.serve();
    }
  }

  private serve(): void {
    this.waiting = this.waiting.filter(({ users, places, go }) => {
      const free = users.find((user) => (this.lent.get(user) ?? 0) + places <= wrongInARow);
      if (free === undefined) return true;
      this.lent.set(free, (this.lent.get(free) ?? 0) + places);
      go(free);
      return false;
    });
  }
}
