import { writeFile } from 'node:fs/promises';
import { packageFile } from '../spec/index.js';
import { generatedFiles } from './generated.js';

for (const { file, text } of generatedFiles) await writeFile(packageFile(file), await text());
