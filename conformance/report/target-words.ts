import type { ReportClient, ReportTarget } from './report.js';

/** What was judged, as people call it: the address of a service, or the client. */
export function targetName({ url, client }: ReportTarget): string {
  return client?.name ?? url;
}

const ways = {
  command: 'started once a scenario',
  driver: 'driven over standard input and output',
  function: 'called as a function',
  watch: 'watched and not driven',
} as const;

/** How a client was judged. */
export function clientWords({ way }: ReportClient): string {
  return `client, ${ways[way]}`;
}
