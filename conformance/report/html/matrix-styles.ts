/** The sheet of the comparison. A row is 28 pixels high. */
export const matrixStyles = `
body { padding: 0 1rem 3rem; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.25rem; padding: 0.35rem 0; font-size: 0.875rem; }
.top h1 { font-size: 1rem; }
.top p { margin: 0; color: var(--muted); }
.only { display: flex; align-items: center; gap: 0.35rem; }
.only input { margin: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin-left: auto !important; }
.legend .cell { display: inline-block; width: 1.4rem; text-align: center; border-radius: 3px; }

.scroll { position: relative; overflow: auto; max-height: calc(100dvh - 2.35rem); border: 1px solid var(--rule); }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.8125rem; }
thead th { position: sticky; top: 0; z-index: 2; width: 6.5rem; min-width: 4.5rem; max-width: 8rem; padding: 0.25rem 0.3rem; background: var(--panel); border-bottom: 2px solid var(--muted); vertical-align: top; line-height: 1.2; font-size: 0.6875rem; font-weight: 400; }
thead th:first-child { left: 0; z-index: 3; vertical-align: bottom; text-align: left; padding-left: 0.6rem; color: var(--muted); }
thead :is(span, b) { display: block; }
thead .name { font-size: 0.8125rem; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
thead b { min-height: 2.4em; color: var(--tone); }
.sums { color: var(--muted); }
tbody th { position: sticky; left: 0; z-index: 1; min-width: 21.5rem; padding: 0 0.6rem; background: var(--paper); text-align: left; font-weight: 400; line-height: 1.1; }
tbody th .level { float: right; line-height: 1.3rem; }
tbody th a { color: inherit; text-decoration: none; font-family: var(--mono); font-size: 0.75rem; line-height: 1.3rem; }
tbody :is(th, td) { height: 28px; border-bottom: 1px solid var(--rule); }
tbody + tbody tr:nth-child(1 of :not([hidden])) > * { border-top: 2px solid var(--muted); }
tbody td { padding: 0; text-align: center; border-left: 1px solid var(--rule); cursor: pointer; }
tbody tr:hover > th { background: var(--panel); }
tbody tr:hover a { text-decoration: underline; }
.cell { color: var(--tone); background: color-mix(in srgb, var(--tone) 8%, var(--paper)); }
.cell.is-fail { color: var(--paper); background: var(--tone); font-weight: 700; }
.cell.is-warn { color: var(--mark-ink); background: var(--mark); font-weight: 700; }
.cell.is-known-failure { color: var(--ink); background: color-mix(in srgb, var(--tone) 28%, var(--paper)); font-weight: 700; }
.cell.is-untested, .cell.is-skipped { background: none; }
td:focus-visible, td.chosen { outline: 2px solid var(--link); outline-offset: -2px; }

h2 + * { margin-top: 0; }
.services { list-style: none; padding: 0; }
.services li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; padding: 0.15rem 0; }
.services li > :first-child { min-width: 10rem; }
.services .mono { min-width: 18rem; }
.services .outcome { min-width: 7.5rem; }
.answers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 0.9rem 2rem; }
.answers dt { color: var(--ink); font-weight: 600; font-size: inherit; }
.detail { padding: 0.75rem 0; border-top: 1px solid var(--rule); max-width: 60rem; }
.detail h3 { font-size: 0.9375rem; }
.detail h4 { font-size: 0.875rem; margin-top: 0.6rem; }
.detail .outcome { font-weight: 600; margin-left: 0.4rem; }
.panel { position: fixed; inset: 0 0 0 auto; z-index: 4; width: min(32rem, 100%); overflow: auto; padding: 1rem 1.25rem; background: var(--paper); border-left: 1px solid var(--muted); box-shadow: -0.5rem 0 2rem rgb(0 0 0 / 18%); }
.panel:focus { outline: none; }
.panel span.chosen, .panel .chosen .service { background: var(--mark); color: var(--mark-ink); }
#close { position: sticky; top: 0; float: right; font: inherit; font-size: 0.8125rem; color: var(--ink); background: var(--paper); border: 1px solid var(--muted); border-radius: 5px; padding: 0.15rem 0.6rem; cursor: pointer; }
@media (max-width: 40rem) {
  body { padding: 0 0.5rem 2rem; }
  .legend { margin-left: 0 !important; }
  .scroll { max-height: calc(100dvh - 5.5rem); }
  thead th { min-width: 4rem; }
  tbody th { min-width: 8.5rem; padding: 0 0.3rem; overflow-wrap: anywhere; }
  tbody th a { font-size: 0.6875rem; line-height: 0.8rem; display: block; }
  tbody th .level { display: none; }
  .panel { inset: auto 0 0 0; max-height: 70dvh; border: solid var(--muted); border-width: 1px 0 0; }
}
@page { size: landscape; }
@media print {
  .only { display: none; }
  .scroll { overflow: visible; max-height: none; border: 0; }
  table { table-layout: fixed; }
  :is(thead, tbody) th { position: static; width: auto; min-width: 0; max-width: none; padding: 0.15rem; overflow-wrap: anywhere; }
  thead th:first-child { width: 15.5rem; }
  thead :is(.name, b, .sums) { font-size: 0.5625rem; white-space: normal; }
  tbody th a { font-size: 0.625rem; }
  tbody :is(th, td) { height: 20px; }
  tbody th .level { display: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  tr, .detail, .entry { break-inside: avoid; }
}
`;
