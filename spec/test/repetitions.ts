import ts from 'typescript';
import { spec } from '../index.js';

/** A literal of the protocol, found in code. */
export interface Repetition {
  readonly line: number;
  readonly literal: string;
  readonly text: string;
}

const { challenge, token, headers, link, mediaType } = spec.protocol;

/** So much their own that they are repeated wherever they stand, also within a longer text. */
const distinctive = [
  challenge.realm,
  ...Object.values(challenge.body),
  ...Object.values(spec.protocol.exchange.body),
  headers.nonce,
  headers.token,
  headers.authenticate,
  headers.allowOrigin,
  mediaType,
  link.relation,
  link.relation.replace(/^https?:\/\//, ''),
  link.path,
  token.lifetime,
  challenge.noncePattern.source,
  spec.protocol.datePattern.source,
];

/** Words that HTTP and English have too: repeated where they stand alone. */
const alone = [
  headers.link,
  headers.date,
  headers.contentLength,
  link.path.slice(1),
  ...Object.keys(challenge.body),
  ...Object.keys(spec.protocol.exchange.body),
  `/${spec.protocol.exchange.tokenPattern.source}/`,
];

/** The status, and the lifetime with what is derived from it: its half, its double, and each of these in seconds. */
const lifetimes = [1, 2, 0.5].map((part) => part * token.lifetimeMs);
const numbers = [challenge.status, ...lifetimes, ...lifetimes.map((ms) => ms / 1000)];
const minutes = token.lifetimeMs / 60_000;

/** The strings, templates, regular expressions and numbers of a file that repeat a literal of the protocol. */
export function repetitions(code: string): Repetition[] {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.ESNext, true);
  const found: Repetition[] = [];
  const visit = (node: ts.Node): void => {
    const literal = repeatedBy(node);
    if (literal !== undefined)
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, literal, text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function repeatedBy(node: ts.Node): string | undefined {
  if (ts.isNumericLiteral(node)) return numbers.includes(Number(node.text)) ? node.text : undefined;
  if (ts.isBinaryExpression(node)) return isMinutes(node) ? `${minutes} minutes` : undefined;
  if (!ts.isLiteralExpression(node) && !ts.isTemplateLiteralToken(node)) return undefined;
  return inText(node.text);
}

const ids = spec.catalogue.rows.map(({ id }) => id);

function inText(text: string): string | undefined {
  const given = ids.reduce((rest, id) => rest.replaceAll(id, ''), text).toLowerCase();
  return (
    distinctive.find((literal) => given.includes(literal.toLowerCase())) ?? alone.find((literal) => given.trim() === literal.toLowerCase())
  );
}

/** A product such as 45 * 60 * 1000 or 45 * minute. */
function isMinutes(node: ts.BinaryExpression): boolean {
  if (node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return false;
  const factors = [node.left, node.right];
  const numbers = factors.filter(ts.isNumericLiteral).map(({ text }) => Number(text));
  const isMinute = (factor: ts.Expression) => ts.isIdentifier(factor) && /^minute(?:s|ms)?$/i.test(factor.text);
  return numbers.includes(minutes) && (numbers.some((factor) => factor === 60 || factor === 60_000) || factors.some(isMinute));
}
