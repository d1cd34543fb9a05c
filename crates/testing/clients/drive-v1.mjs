// Drives a server with version 1 of the official TypeScript client, which knows the legacy era only.
// The job and the report are those of drive-v2.py.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { answers, capabilities, drive } from "./drive.mjs";

const asked = {
  "sampling/createMessage": CreateMessageRequestSchema,
  "elicitation/create": ElicitRequestSchema,
  "roots/list": ListRootsRequestSchema,
};

await drive((job) => {
  if (job.era !== "legacy") throw new Error(`this client cannot speak the ${job.era} era`);
  const client = new Client({ name: "breakfall-tests", version: "1.0.0" }, job.steps ? { capabilities } : {});
  if (job.steps) for (const method in asked) client.setRequestHandler(asked[method], answers[method]);
  return { client, Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport };
});
