/** Answers all lines of `input` on `output`; resolves at the end of the input. */
export async function serve(database, input, output) {
  for await (const line of linesOf(input)) {
    if (line !== '') output.write(`${answerLine(database, line)}\n`);
  }
}

// Not node:readline: it also ends lines at U+2028 and U+2029, which may stand unescaped in JSON.
async function* linesOf(input) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop();
    for (const line of lines) yield withoutReturn(line);
  }
  yield withoutReturn(rest + decoder.end());
}

function withoutReturn(line) {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
