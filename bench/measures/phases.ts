import type { Spec } from '../../spec/index.js';

/** Requirements whose laws run one after another: histories, wrong credentials and whatever moves the clock. */
export function lateSteps({ catalogue }: Spec): string[] {
  const late =
    /^(expiry\.|protection\.history$|exchange\.(wrong-paraphrase|unknown-user|malformed-credentials|id-spelling|refusal|no-server-error))/;
  return catalogue.rows.map((row) => row.id).filter((id) => late.test(id));
}
