/** `hone policy check`: the policy pack on a patch; text for people, JSON, or SARIF for code scanning. */
import { checkPolicies, type PolicyCheckInput } from '../../app/policy-check.ts';
import { isRefusal } from '../../app/refusal.ts';
import { sha256Hex } from '../../base/index.ts';
import type { PolicyCheck } from '../../contracts/policy.ts';
import type { Context } from '../context.ts';
import { jsonLine, plainLine, refuse } from '../io.ts';
import { wrap } from '../layout.ts';
import { counted } from '../quantities.ts';

export async function policyCheck(
  context: Context,
  {
    format,
    strict,
    ...input
  }: PolicyCheckInput & { readonly format: 'text' | 'json' | 'sarif'; readonly strict?: boolean },
): Promise<number> {
  const { io } = context;
  const found = await checkPolicies(context, input, process.stdin.setEncoding('utf8'));
  if (isRefusal(found)) return refuse(io, found);
  if (format === 'sarif') io.out(`${JSON.stringify(sarif(found), null, 1)}\n`);
  else if (format === 'json' || io.json) io.out(jsonLine(found));
  else io.out(text(found, io.columns));
  const isRefused = strict === true || found.findings.some(({ level }) => level === 'error');
  return found.findings.length > 0 && isRefused ? 1 : 0;
}

function text({ files, findings }: PolicyCheck, columns: number): string {
  if (findings.length === 0)
    return wrap(`${counted(files, 'file')}: every policy test passed.`, columns);
  const lines = findings.map(({ rule, level, path, message }) => {
    const refused = path === null ? 'the patch is refused: ' : '';
    const asked = level === 'warning' ? 'warning, ' : '';
    return wrap(plainLine(`${asked}${rule}: ${refused}${message}`), columns);
  });
  const asked = findings.filter(({ level }) => level === 'warning').length;
  const ask = asked === 0 ? '' : ` ${asked} of them for a person to decide.`;
  const sum = `${counted(findings.length, 'finding')} in ${counted(files, 'file')}.${ask}`;
  return [...lines, wrap(sum, columns)].join('');
}

/** SARIF 2.1.0, as far as code scanning needs it. */
function sarif({ findings }: PolicyCheck) {
  const results = findings.map(({ rule, level, path, line, message }) => ({
    ruleId: rule,
    level,
    message: { text: plainLine(message) },
    ...(path === null
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(path) },
                region: { startLine: line ?? 1 },
              },
            },
          ],
        }),
    partialFingerprints: { hone: sha256Hex(`${rule} ${path} ${message.replace(/line \d+/, '')}`) },
  }));
  const rules = [...new Set(findings.map(({ rule }) => rule))].map((id) => ({ id }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'hone', rules } }, results }],
  };
}
