/**
 * `npm run bench -- demo [--runs N] | ui | spec`, each with `[--json]`: then the last line is one object. Goals stand beside
 * the figures; a machine that does something else makes them worse.
 */
import { parseArgs } from 'node:util';
import { benchDemo } from './bench-demo.ts';
import { benchSpec, specLine } from './bench-spec.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});
const { json } = values;
const [what = 'demo'] = positionals;
if (what === 'demo') {
  await benchDemo(json, Number(values.runs));
} else if (what === 'spec') {
  const result = await benchSpec(json);
  console.log(json ? JSON.stringify(result) : specLine(result));
} else if (what === 'ui') {
  // What drives a browser is loaded for this one only.
  const { benchUi } = await import('./bench-ui.ts');
  await benchUi(json);
} else {
  console.error(`there is no benchmark "${what}"; there are demo, spec and ui.`);
  process.exitCode = 2;
}
// A browser can leave something open.
process.exit();
