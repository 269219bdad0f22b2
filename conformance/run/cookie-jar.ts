import { type Answer, headerValues } from '../wire/index.js';

/** The cookies that a target set, in whatever step, each with its last value. */
export class CookieJar {
  readonly #values = new Map<string, string>();

  note(answer: Answer): void {
    for (const line of headerValues(answer, 'set-cookie')) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', ...value] = pair.trim().split('=');
      if (value.join('=') === '' || attributes.some((each) => /^max-age=(0|-.*)$/i.test(each.trim()))) this.#values.delete(name);
      else this.#values.set(name, value.join('='));
    }
  }

  /** What a browser would send back; undefined while there is nothing. */
  get line(): string | undefined {
    return this.#values.size === 0 ? undefined : [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
