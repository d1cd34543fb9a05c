// What both versions of the TypeScript client have in common: read the job, call, report.
import { readFileSync, writeSync } from "node:fs";

export async function drive(connect) {
  const job = JSON.parse(readFileSync(0, "utf8"));
  const { client, transport } = connect(job);
  const [command, ...args] = job.command;
  await client.connect(transport(command, args));
  const { tools } = await client.listTools();
  const replies = [];
  for (const { tool, arguments: wanted } of job.calls) replies.push(await call(client, tool, wanted));
  const protocol = client.getNegotiatedProtocolVersion?.() ?? null;
  await client.close();
  writeSync(1, JSON.stringify({ protocol, tools, replies }));
  process.exit(0);
}

async function call(client, name, wanted) {
  try {
    return { result: await client.callTool({ name, arguments: wanted }) };
  } catch (error) {
    // A failure that did not come over the wire has no number: then it is the driver's, or the client's own.
    if (typeof error.code !== "number") throw error;
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
}
