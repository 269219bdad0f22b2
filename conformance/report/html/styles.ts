import { partStyles } from './part-styles.js';

/** Colours, type and the frame of the page; the parts have their own sheet. */
const frame = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --panel: #f5f2eb; --ink: #1d1c1a; --muted: #5e5a52; --rule: #dfdacf; --link: #1f4f86; --mark: #f6d9a8; --mark-ink: #3b2600;
  --pass: #1b6540; --fail: #a1222a; --warn: #815000; --known: #66458a; --untested: #5e5a52;
  --sans: "Inter", "Segoe UI", "Helvetica Neue", Helvetica, Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151614; --panel: #1e1f1c; --ink: #ebe8e1; --muted: #aaa69b; --rule: #363731; --link: #94bdf0; --mark: #5b4413; --mark-ink: #ffe9bd;
    --pass: #7fc99d; --fail: #f3958f; --warn: #e2b061; --known: #c7abeb; --untested: #aaa69b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); font-variant-numeric: tabular-nums; }
.frame { max-width: 66rem; margin: 0 auto; padding: 0 1.5rem; }
h1, h2, h3, h4 { line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 0.35rem; }
h3 { font-size: 1.0625rem; margin: 0; }
h4 { font-size: 0.8125rem; color: var(--muted); margin: 1.4rem 0 0.4rem; letter-spacing: 0.01em; }
p { margin: 0 0 0.75rem; max-width: 44rem; }
p, li { overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
code, pre, .mono { font-family: var(--mono); font-size: 0.875em; }
pre { margin: 0; padding: 0.85rem 1rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; overflow: auto; line-height: 1.5; font-size: 0.8125rem; max-height: 32rem; }
.muted { color: var(--muted); }
.note { color: var(--muted); margin-bottom: 1.1rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem 0.75rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
footer { margin: 4rem 0 3rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--muted); font-size: 0.875rem; }

.is-pass { --tone: var(--pass); } .is-fail { --tone: var(--fail); } .is-warn { --tone: var(--warn); }
.is-known-failure { --tone: var(--known); } .is-untested { --tone: var(--untested); }

.masthead { padding-top: 2.75rem; }
.kicker { color: var(--muted); font-size: 0.875rem; margin-bottom: 1.6rem; }
.kicker b { color: var(--ink); font-weight: 650; }
h1 { font-size: clamp(2.25rem, 7vw, 3.5rem); letter-spacing: -0.03em; color: var(--tone); }
.lead { font-size: 1.1875rem; margin: 0.6rem 0 0.35rem; }
.target { color: var(--muted); overflow-wrap: anywhere; }
.bar { display: block; width: 100%; height: 10px; margin: 1.6rem 0 0.9rem; }
.bar rect { fill: var(--tone); }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem 2rem; padding: 0; margin: 0; }
.counts li { display: flex; align-items: baseline; gap: 0.45rem; color: var(--muted); font-size: 0.9375rem; }
.counts b { font-size: 1.625rem; font-weight: 650; letter-spacing: -0.02em; color: var(--tone); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 0.9rem 1.5rem; margin: 1.75rem 0 0; padding: 1.1rem 0 0; border-top: 1px solid var(--rule); }
.facts dt { color: var(--muted); font-size: 0.8125rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.jump { margin-top: 1.75rem; padding: 0.7rem 0; border: solid var(--rule); border-width: 1px 0; }
.jump ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; margin: 0; padding: 0; }
@media (max-width: 40rem) {
  .frame { padding: 0 1rem; }
  .masthead { padding-top: 1.5rem; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  h2 { margin-top: 2.75rem; }
}
@media print {
  .toolbar, .jump, .copy, .skip { display: none !important; }
  pre { max-height: none; white-space: pre-wrap; }
}
`;

export const styles = frame + partStyles;
