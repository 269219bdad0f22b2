import { type Option, optionsIn } from '../option-table.js';
import { commands } from './commands.js';
import { helpOf, overview } from './help.js';

const page = { width: 100, colour: false };

/** The help of every command as one Markdown page, and the names of the options in JavaScript. */
export function manualText(): string {
  const block = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text}\`\`\`\n`;
  return [
    '<!-- Written by npm run generate from conformance/option-table.ts and conformance/cli/commands. -->\n# Command line\n\nWhat `--help` says, of the whole and of every command; at the end the [names of the options in JavaScript](#in-javascript).\n',
    block('hydrauth', overview(commands, page)),
    ...commands.map((command) => block(`hydrauth ${command.name}`, helpOf(command, page))),
    `## In JavaScript\n\nThe file of \`check --config\` is a JSON object with \`base-url\` and the options by their names here, without the dashes. \`runConformance\` takes\nthem by the names in the second column, \`runClientConformance\` those of \`check-client\`.\n\n${library()}\n`,
  ].join('\n');
}

function library(): string {
  const named = [...optionsIn('check'), ...optionsIn('runConformance'), ...optionsIn('check-client')];
  const once = named.filter((option, index) => named.findIndex(({ name }) => name === option.name) === index);
  const others = optionsIn('runConformance').map(({ key }) => key);
  const lines = once.flatMap((option) => {
    const flag = others.includes(option.key) ? '' : `\`--${option.name}\``;
    return option.key === undefined ? [] : [`| ${flag} | \`${option.key}\` | ${form(option)} |`];
  });
  return ['| option | in JavaScript | holds |', '| --- | --- | --- |', ...lines].join('\n');
}

function form({ value, many, whole, allowed, default: otherwise }: Option): string {
  const kind =
    value === undefined ? 'true or false' : (allowed?.join(', ') ?? (whole === undefined ? 'a text' : `${whole[0]} to ${whole[1]}`));
  return `${many ? 'a list of texts' : kind}${otherwise === undefined ? '' : `; default ${otherwise}`}`;
}
