import { commands } from './commands/index.js';
import { helpOf, overview } from './help.js';

const page = { width: 100, colour: false };

/** The help of every command as one Markdown page. */
export function manualText(): string {
  const block = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text}\`\`\`\n`;
  return [
    '<!-- Written by npm run generate from conformance/cli/commands. -->\n# Command line\n\nWhat `--help` says, of the whole and of every command.\n',
    block('hydrauth', overview(commands, page)),
    ...commands.map((command) => block(`hydrauth ${command.name}`, helpOf(command, page))),
  ].join('\n');
}
