// Reads server-sent events from the answer to a POST: EventSource can only GET,
// and a run must not start by a link.
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) yield parse(block);
  }
}

function parse(block) {
  const fields = Object.fromEntries(block.split("\n").map((line) => {
    const colon = line.indexOf(": ");
    return [line.slice(0, colon), line.slice(colon + 2)];
  }));
  return { name: fields.event, data: JSON.parse(fields.data) };
}
