/** The sheet of the report: masthead, findings with their diagrams, and what is folded. */
export const partStyles = `
.frame { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.5rem 3rem; }
.kicker { margin-bottom: 1rem; }
.lead { margin: 0.25rem 0 0; font-size: 1rem; }
.bar { display: block; width: 100%; height: 6px; margin: 1rem 0 0.6rem; }
.bar rect { fill: var(--tone); }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; margin: 0; }
.counts a { color: var(--muted); text-decoration: none; }
.counts a:hover { text-decoration: underline; }
.counts b { color: var(--tone); font-size: 1.125rem; margin-right: 0.15rem; }
main > section:first-child h2 { margin-top: 2rem; }
.part > h3, #skipped { display: flex; align-items: center; font-size: 1rem; margin: 1.25rem 0 0.5rem; }
.part > h3 { color: var(--tone); scroll-margin-top: 1rem; }
.note { margin-bottom: 0.75rem; }

.finding { border: 1px solid var(--rule); border-left: 3px solid var(--tone); border-radius: 6px; padding: 0.85rem 1.1rem 0.9rem; margin-bottom: 0.85rem; scroll-margin-top: 1rem; }
.finding > h4 { display: flex; align-items: baseline; flex-wrap: wrap; font-size: 0.9375rem; }
.finding > h4 .id { font-size: 0.9375rem; margin-right: 0.6rem; }
.finding > .says { margin: 0.15rem 0 0; }
.found { font-weight: 600; margin: 0.5rem 0 0; }
.folds { display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; }
.folds > [open] { flex: 0 0 100%; min-width: 0; }
.drawing[open] { margin-bottom: 0.6rem; }
.folds .chain, .folds .lanes { max-width: 42rem; }
.pairs { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.3rem 0.75rem; margin: 0.35rem 0 0.6rem; }
.pairs dt { padding-top: 0.1rem; }
.pairs dd { grid-column: 2; max-width: 46rem; }
#run .pairs { grid-template-columns: 8rem minmax(0, 1fr); }
summary { cursor: pointer; }
.more > summary, .drawing > summary { color: var(--link); font-size: 0.875rem; padding: 0.15rem 0; width: fit-content; }
.checks { list-style: none; margin: 0.35rem 0 0.75rem; padding: 0; font-size: 0.875rem; }
.checks li { padding: 0.15rem 0; }
.wire { padding-left: 1.4rem; margin: 0.25rem 0; font-size: 0.875rem; }
.wire pre { margin-top: 0.35rem; }
pre { margin: 0; padding: 0.6rem 0.8rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; overflow: auto; line-height: 1.5; max-height: 28rem; }
.script { position: relative; margin: 0.35rem 0; }
.script pre { padding-right: 4.5rem; }
.copy { position: absolute; top: 0.35rem; right: 0.35rem; font: inherit; font-size: 0.75rem; color: var(--ink); background: var(--paper); border: 1px solid var(--muted); border-radius: 5px; padding: 0.15rem 0.55rem; cursor: pointer; }

.lanes { display: flex; justify-content: space-between; font-size: 0.75rem; font-weight: 600; color: var(--muted); padding: 0.2rem 0; }
.chain { list-style: none; margin: 0; padding: 0.1rem 0 0.5rem; border: solid var(--rule); border-width: 0 2px; font: 0.75rem/1.45 var(--mono); }
.chain li { position: relative; padding: 0.35rem 0.9rem 0.4rem; overflow-wrap: anywhere; border-bottom: 1px solid var(--ink); }
.chain li > span { display: block; color: var(--muted); }
.chain .tell { border-bottom-style: dashed; }
.chain li::after { content: ""; position: absolute; bottom: -4.5px; border: solid transparent; border-width: 4px 0 4px 8px; }
.chain .ask::after { right: 0; border-left-color: var(--ink); }
.chain .tell::after { left: 0; border-width: 4px 8px 4px 0; border-right-color: var(--ink); }
.chain .time { border-bottom: 0; color: var(--warn); font-weight: 600; text-align: center; }
.chain .time::after { display: none; }
.chain .offending { background: color-mix(in srgb, var(--tone) 9%, transparent); border-bottom-color: var(--tone); }
.chain .offending::after { border-right-color: var(--tone); }
.chain .offending b, .chain .offending em { color: var(--tone); }
.chain .offending em { float: right; margin-left: 0.75rem; font: 600 0.75rem/1.45 var(--sans); }
.chain .offending > span { color: var(--ink); }

.search { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.75rem; margin: 0.5rem 0; }
.search label { color: var(--muted); }
.search input { flex: 0 1 20rem; min-width: 0; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 6px; padding: 0.25rem 0.6rem; }
.shown { color: var(--muted); font-size: 0.875rem; }
.group { border-top: 1px solid var(--rule); }
.group:last-child { border-bottom: 1px solid var(--rule); }
.group > summary { display: grid; grid-template-columns: 0.6rem 1.5rem minmax(0, 1fr); gap: 0.5rem; padding: 0.4rem 0; overflow-wrap: anywhere; }
.group > summary b { text-align: right; color: var(--tone); }
.req { border-top: 1px solid var(--rule); margin-left: 2.5rem; scroll-margin-top: 1rem; }
.req > summary { display: grid; grid-template-columns: 0.9rem minmax(0, 1fr) 4rem; gap: 0.5rem; align-items: baseline; padding: 0.3rem 0; }
.req .says { color: var(--muted); overflow-wrap: anywhere; margin-left: 0.35rem; }
.req .level { text-align: right; }
.req > .more { padding: 0 0 0.5rem 1.4rem; font-size: 0.875rem; }
:is(.group, .req) > summary { list-style: none; }
.group > summary::before { content: "\\25b8"; color: var(--muted); }
.group[open] > summary::before { content: "\\25be"; }
:is(.group, .req) > summary::-webkit-details-marker { display: none; }
:is(.group, .req) > summary:hover { background: var(--panel); }

table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1.25rem 0.4rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
th { font-weight: 600; }
thead th { color: var(--muted); font-size: 0.8125rem; font-weight: 500; }
footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); color: var(--muted); font-size: 0.8125rem; }
@media (min-width: 56rem) { .halves { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); gap: 0 1.5rem; align-items: start; } }
@media (max-width: 40rem) {
  .frame { padding: 1rem 1rem 2rem; }
  .finding { padding: 0.7rem 0.8rem; }
  .req { margin-left: 0.75rem; }
  .pairs { grid-template-columns: 4rem minmax(0, 1fr); }
  table.stack thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden; }
  table.stack :is(tr, th, td) { display: block; border: 0; padding: 0.1rem 0; }
  table.stack tr { border-bottom: 1px solid var(--rule); padding: 0.5rem 0; }
}
@media print {
  .copy, .search { display: none !important; }
  .folds > :not([open]) { display: none; }
  .chain li, .versus { break-inside: avoid; }
  pre { max-height: none; white-space: pre-wrap; }
  .group::details-content { content-visibility: visible; block-size: auto; }
}
`;
