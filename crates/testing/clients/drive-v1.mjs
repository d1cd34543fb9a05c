// Drives a server with version 1 of the official TypeScript client, which knows the legacy era only.
// The job and the report are those of drive.py.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { drive } from "./drive.mjs";

await drive((job) => {
  if (job.era !== "legacy") throw new Error(`this client cannot speak the ${job.era} era`);
  return {
    client: new Client({ name: "breakfall-tests", version: "1.0.0" }),
    transport: (command, args) => new StdioClientTransport({ command, args, stderr: "inherit" }),
  };
});
