// Drives a server with version 2 of the official TypeScript client, which knows both eras.
// The job and the report are those of drive-v2.py.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { answers, capabilities, drive } from "./drive.mjs";

const modes = { legacy: "legacy", modern: { pin: "2026-07-28" } };

await drive((job) => {
  const client = new Client(
    { name: "breakfall-tests", version: "1.0.0" },
    { versionNegotiation: { mode: modes[job.era] }, ...(job.steps ? { capabilities } : {}) },
  );
  if (job.steps) for (const method in answers) client.setRequestHandler(method, answers[method]);
  return { client, Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport };
});
