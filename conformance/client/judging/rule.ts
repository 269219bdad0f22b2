import type { Act, LoggedRequest, Secret, Traffic } from '../traffic/index.js';

/** What a rule may know besides the traffic. */
export interface Context {
  /** Undefined while a client is watched: nobody says who it is. */
  readonly user: { readonly id: number; readonly paraphrase: string } | undefined;
  readonly secrets: readonly Secret[];
  /** All requests, those at other origins among them. */
  readonly requests: readonly LoggedRequest[];
  /** Whether the client has come to its end, so that nothing more follows. */
  readonly ended: boolean;
}

export interface Violation {
  readonly expected: string;
  readonly actual: string;
  readonly at: LoggedRequest;
}

/** A row that is judged on any traffic: how often it could have been violated, and where it was. */
export interface Rule {
  readonly row: string;
  judge(traffic: Traffic, context: Context): { readonly tried: number; readonly violations: readonly Violation[] };
}

/** A rule that looks at one request at a time. */
export function ruleOf(
  row: string,
  applies: (act: Act, context: Context) => boolean,
  wrong: (act: Act, context: Context) => { readonly expected: string; readonly actual: string } | undefined,
): Rule {
  return {
    row,
    judge({ acts }, context) {
      const looked = acts.filter((act) => applies(act, context));
      const violations = looked.flatMap((act) => {
        const found = wrong(act, context);
        return found === undefined ? [] : [{ ...found, at: act.logged }];
      });
      return { tried: looked.length, violations };
    },
  };
}
