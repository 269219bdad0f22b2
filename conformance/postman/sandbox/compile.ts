import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { packageFile } from '../../../spec/index.js';

/** The committed file with the library in JavaScript. The package reads it, because `esbuild` is not installed with it. */
export async function compiledLibraryText(): Promise<string> {
  const lines = (await compiledLibrary()).map((line) => `  ${JSON.stringify(line)},\n`);
  return `/** Written by \`npm run generate\` from conformance/postman/sandbox. */\nexport const libraryLines: readonly string[] = [\n${lines.join('')}];\n`;
}

/** The function `library` and everything it needs, wherever that is imported from, as JavaScript without imports. */
export async function compiledLibrary(): Promise<string[]> {
  const entry = packageFile('conformance', 'postman', 'sandbox', 'library.ts');
  const options = { bundle: true, write: false, format: 'esm', target: 'es2020', absWorkingDir: packageFile() } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [entry], plugins: [ownModules] });
  const script = (outputFiles[0]?.text ?? '').replace(/^export \{[^}]*\};$/m, '');
  const [missing] = /^import .*/m.exec(script) ?? [];
  if (missing !== undefined) throw new Error(`the Postman collection needs what is not there in Postman: ${missing}`);
  return script.trim().split('\n');
}

/** A module of which nothing is used is left out, and so are the packages that it needs. */
const ownModules: Plugin = {
  name: 'own modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace(/\.js$/, '.ts')), sideEffects: false }));
    onResolve({ filter: /^[a-z@]/ }, () => ({ external: true, sideEffects: false }));
  },
};
