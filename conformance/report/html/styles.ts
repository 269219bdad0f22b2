import { partStyles } from './part-styles.js';

/** Colours, type and the frame of every page; the report and the comparison have their own sheets. */
export const frameStyles = `
:root {
  color-scheme: light dark;
  --paper: #fdfcfa; --panel: #f6f3ed; --ink: #1d1c1a; --muted: #5e5a52; --rule: #e0dbd1; --link: #1f4f86; --mark: #f6d9a8; --mark-ink: #3b2600;
  --pass: #1b6540; --fail: #a1222a; --warn: #815000; --known: #66458a; --untested: #5e5a52;
  --sans: "Inter", "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans Condensed", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #151614; --panel: #1e1f1c; --ink: #ebe8e1; --muted: #aaa69b; --rule: #363731; --link: #94bdf0; --mark: #5b4413; --mark-ink: #ffe9bd;
    --pass: #7fc99d; --fail: #f3958f; --warn: #e2b061; --known: #c7abeb; --untested: #aaa69b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.9375rem/1.5 var(--sans); font-variant-numeric: tabular-nums; }
h1, h2, h3, h4, h5 { line-height: 1.25; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; letter-spacing: -0.015em; color: var(--tone, inherit); }
h2 { font-size: 1.25rem; margin: 2.75rem 0 0.5rem; }
h5 { font-size: 0.875rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0 0 0.6rem; max-width: 46rem; }
p, li, dd { overflow-wrap: anywhere; }
dl, dd { margin: 0; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
.mono, pre, .id, .value { font-family: var(--mono); font-size: 0.8125rem; }
.id { font-weight: 600; }
.muted, .note { color: var(--muted); }
.icon { flex: none; width: 0.75em; height: 0.75em; margin-right: 0.45em; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.outcome { color: var(--tone); white-space: nowrap; }
.level { font-size: 0.6875rem; font-weight: 600; letter-spacing: 0.05em; color: var(--muted); }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.is-pass { --tone: var(--pass); } .is-fail { --tone: var(--fail); } .is-warn { --tone: var(--warn); }
.is-known-failure { --tone: var(--known); } .is-untested, .is-skipped { --tone: var(--untested); }
.value { white-space: pre-wrap; overflow-wrap: anywhere; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 0.6rem; margin: 0.6rem 0; }
.versus > div { padding: 0.5rem 0.75rem 0.6rem; background: var(--panel); border-radius: 6px; }
.versus > div + div { border-left: 3px solid var(--tone); border-radius: 0 6px 6px 0; }
dt { color: var(--muted); font-size: 0.8125rem; }
.kicker { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; max-width: none; color: var(--muted); font-size: 0.875rem; }
.kicker b { color: var(--ink); }
`;

export const styles = frameStyles + partStyles;
