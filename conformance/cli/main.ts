#!/usr/bin/env node
import { nodeTooOld } from './node-version.js';

const complaint = nodeTooOld(process.versions.node);
if (complaint === undefined) await import('./process.js');
else {
  process.stderr.write(`hydrauth: ${complaint}\n`);
  // No verdict: neither success nor a violation.
  process.exitCode = 3;
}
