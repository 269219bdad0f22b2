/** The sheet of the comparison, beside that of the report. */
export const matrixStyles = `
.wide { max-width: 84rem; padding-bottom: 4rem; }
.only { display: inline-flex; gap: 0.5rem; align-items: center; margin-top: 0.5rem; }
.matrix { width: auto; min-width: 100%; }
.matrix th[scope=col] { min-width: 10rem; max-width: 18rem; }
.matrix th[scope=col] b { display: block; color: var(--ink); font-size: 0.9375rem; }
.matrix th[scope=col] span, .matrix .sum span { display: block; font-weight: 400; font-size: 0.8125rem; color: var(--muted); overflow-wrap: anywhere; }
.matrix th[scope=row] { width: 34rem; min-width: 15rem; font-weight: 400; }
.matrix .says { font-size: 0.875rem; }
.matrix .sum th[scope=row] { font-weight: 600; }
.matrix .verdict { color: var(--tone); }
.matrix .group th { padding-top: 1.75rem; font-size: 1.0625rem; font-weight: 650; border-bottom: 2px solid var(--ink); }
.matrix .differs > * { background: var(--panel); }
.matrix .differs th { box-shadow: inset 3px 0 0 var(--warn); padding-left: 0.75rem; }
.matrix em { font-style: normal; font-size: 0.8125rem; font-weight: 600; color: var(--warn); margin-left: 0.4rem; }
`;
