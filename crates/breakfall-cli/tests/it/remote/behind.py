"""Starts a server over HTTP, and `breakfall run` in front of it: behind.py BREAKFALL COMMAND..."""

import os
import socket
import subprocess
import sys
import tempfile
import time

breakfall, *command = sys.argv[1:]

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]

server = subprocess.Popen(
    [*command, "streamableHttp"],
    env={**os.environ, "PORT": str(port)},
    stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
try:
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            if time.monotonic() > until or server.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "breakfall.yaml")
        with open(config, "w") as file:
            file.write(f"upstreams: {{ far: {{ url: 'http://127.0.0.1:{port}/mcp' }} }}\n")
        sys.exit(subprocess.call([breakfall, "run", "--wire-only", "--config", config]))
finally:
    server.terminate()
    server.wait()
