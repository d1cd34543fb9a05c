// What both versions of the TypeScript client have in common: read the job, call, report.
import { writeSync } from "node:fs";
import { text } from "node:stream/consumers";

// Standard output is for the report; a client that has something to say says it elsewhere.
console.debug = console.info = console.log = console.error;

export async function drive(connect) {
  const job = JSON.parse(await text(process.stdin));
  const { client, Stdio, Http } = connect(job);
  const [command, ...args] = job.command;
  const transport = command.startsWith("http") ? new Http(new URL(command)) : new Stdio({ command, args, stderr: "inherit" });
  if (job.steps) client.fallbackNotificationHandler = async (note) => heard.push(note);
  await client.connect(transport);
  let tools = [];
  const replies = [];
  if (job.steps) {
    for (const step of job.steps) replies.push(await perform(client, step));
  } else {
    ({ tools } = await client.listTools());
    for (const { tool, arguments: wanted } of job.calls) replies.push(await call(client, tool, wanted));
  }
  const protocol = client.getNegotiatedProtocolVersion?.() ?? null;
  // A server over HTTP would wait for more of this session.
  await transport.terminateSession?.();
  await client.close();
  write(JSON.stringify({ protocol, tools, replies, progress: seen }));
  process.exit(0);
}

// What a client can do and say that is asked something by its server.
export const capabilities = { sampling: {}, elicitation: {}, roots: {} };
export const answers = {
  "sampling/createMessage": () => ({
    role: "assistant",
    content: { type: "text", text: "hello" },
    model: "tests",
    stopReason: "endTurn",
  }),
  "elicitation/create": ({ params }) => ({ action: "accept", content: filled(params.requestedSchema) }),
  "roots/list": () => ({ roots: [] }),
};

// The same words as in filled.py.
function filled({ properties = {}, required = [] }) {
  return Object.fromEntries(required.filter((name) => name in properties).map((name) => [name, value(properties[name])]));
}

function value(schema) {
  if ("default" in schema) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return schema.oneOf[0].const;
  return { string: "text", integer: 1, number: 1.5, boolean: true }[schema.type] ?? [];
}

const seen = [];
const heard = [];

const steps = {
  tools: (client) => client.listTools(),
  call: (client, { tool, arguments: wanted, progress }) =>
    client.callTool({ name: tool, arguments: wanted }, ...options(client, progress)),
  begin: async (client, { tool, arguments: wanted }) => {
    client.callTool({ name: tool, arguments: wanted }).catch(() => {});
    return {};
  },
  resources: (client) => client.listResources(),
  templates: (client) => client.listResourceTemplates(),
  read: (client, { uri }) => client.readResource({ uri }),
  prompts: (client) => client.listPrompts(),
  prompt: (client, { name, arguments: wanted }) => client.getPrompt({ name, arguments: wanted }),
  complete: (client, { prompt, argument, value }) =>
    client.complete({ ref: { type: "ref/prompt", name: prompt }, argument: { name: argument, value } }),
  subscribe: (client, { uri }) => client.subscribeResource({ uri }),
  unsubscribe: (client, { uri }) => client.unsubscribeResource({ uri }),
  level: (client, { level }) => client.setLoggingLevel(level),
  ping: (client) => client.ping(),
  listen: async (client, { uri }) => {
    const stream = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
    return stream.honoredFilter;
  },
  hear: async (_, { method }) => {
    for (let tries = 0; tries < 2000; tries++) {
      const at = heard.findIndex((note) => note.method === method);
      if (at >= 0) return heard.splice(at, 1)[0].params ?? {};
      await new Promise((again) => setTimeout(again, 10));
    }
    throw new Error(`${method} was not heard`);
  },
};

// Version 1 has the schema of the result in second place.
function options(client, progress) {
  const wanted = progress ? { onprogress: ({ progress }) => seen.push(progress) } : {};
  return client.getNegotiatedProtocolVersion ? [wanted] : [undefined, wanted];
}

async function perform(client, step) {
  try {
    return { result: await steps[step.do](client, step) };
  } catch (error) {
    if (typeof error.code !== "number") return { refused: `${error.name}: ${error.message}` };
    return failure(error);
  }
}

async function call(client, name, wanted) {
  try {
    return { result: await client.callTool({ name, arguments: wanted }) };
  } catch (error) {
    // A failure that did not come over the wire has no number: then it is the driver's, or the client's own.
    if (typeof error.code !== "number") throw error;
    return failure(error);
  }
}

function failure(error) {
  return { error: { code: error.code, message: error.message, data: error.data } };
}

// A pipe takes only so much at once.
function write(text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
