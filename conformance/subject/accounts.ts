import type { User } from '../options.js';
import { deferred } from '../parallel.js';

interface Waiting {
  readonly users: readonly User[];
  readonly places: number;
  readonly soon: () => void;
  readonly go: (user: User) => void;
}

type Work<T, P> = (user: User, prepared: P) => Promise<T>;

const nothing = async () => undefined;

/** Stands for every account that does not exist. It is borrowed like a real one, because services may count wrong attempts by client address. */
export const nobody: User = { id: '', paraphrase: '' };

/** Lends accounts to those who give wrong credentials to them, so that none sees more than two wrong attempts before a right one. */
export class Accounts {
  /** Many services lock an account after three wrong attempts in a row, and a right one begins the count anew. */
  readonly wrongInARow = 2;
  private readonly lent = new Map<User, number>();
  private waiting: Waiting[] = [];
  private readonly controls = new Map<User, { readonly waiting: number; readonly begin: () => void; readonly granted: Promise<void> }>();

  /**
   * For one wrong attempt, and the right one after it, on an account of these users that is free. What can be prepared is prepared while
   * the one before still has the account, and no earlier.
   */
  async borrow<T, P = undefined>(
    users: readonly User[],
    work: Work<T, P>,
    prepare: () => Promise<P> = nothing as () => Promise<P>,
    places = 1,
  ): Promise<T> {
    let prepared: Promise<P> | undefined;
    const soon = () => {
      prepared ??= prepare();
      prepared.catch(() => {}); // thrown where it is awaited
      return prepared;
    };
    const user = await new Promise<User>((go) => {
      this.waiting.push({ users, places, soon, go });
      this.serve();
    });
    try {
      return await work(user, await soon());
    } finally {
      const left = (this.lent.get(user) ?? 0) - places;
      this.lent.set(user, left);
      this.goOn(user);
      // Those who had it together give it back together; whoever is next may want it whole.
      if (left === 0) this.serve();
    }
  }

  /** For as many wrong attempts as an account bears. */
  borrowWhole<T, P = undefined>(users: readonly User[], work: Work<T, P>, prepare?: () => Promise<P>): Promise<T> {
    return this.borrow(users, work, prepare, this.wrongInARow);
  }

  /**
   * The control of a wrong attempt: one right login for all that are under way on an account, when the last of them was answered. It is
   * that of the first who asks; the others `joined`.
   */
  control(account: User, login: () => Promise<void>, joined: () => void): Promise<void> {
    const known = this.controls.get(account);
    if (known !== undefined) joined();
    const { promise, resolve: begin } = deferred();
    const { waiting, granted, ...first } = known ?? { waiting: 0, begin, granted: promise.then(login) };
    this.controls.set(account, { ...first, granted, waiting: waiting + 1 });
    this.goOn(account);
    return granted;
  }

  private goOn(account: User): void {
    const control = this.controls.get(account);
    if (control === undefined || control.waiting < (this.lent.get(account) ?? 0)) return;
    this.controls.delete(account);
    control.begin();
  }

  private serve(): void {
    this.waiting = this.seat(this.lent, ({ soon, go }, user) => {
      soon();
      go(user);
    });
    this.seat(new Map(), ({ soon }) => soon());
  }

  /** Gives places to those who wait, in their order, and returns those for whom there is none. */
  private seat(taken: Map<User, number>, call: (waiting: Waiting, user: User) => void): Waiting[] {
    return this.waiting.filter((waiting) => {
      const { users, places } = waiting;
      const free = users.find((user) => (taken.get(user) ?? 0) + places <= (user === nobody ? 2 : 1) * this.wrongInARow);
      if (free === undefined) return true;
      taken.set(free, (taken.get(free) ?? 0) + places);
      call(waiting, free);
      return false;
    });
  }
}
