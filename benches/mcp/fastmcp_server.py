"""FastMCP around one tool whose answer never changes (answer.json, the argument), stateless and answering JSON, in one
process. Writes its port to the first line of standard output, and serves until it is killed."""

import asyncio
import json
import pathlib
import socket
import sys

import uvicorn
from fastmcp import FastMCP

ANSWER = json.loads(pathlib.Path(sys.argv[1]).read_text())

server = FastMCP("bench")


@server.tool
def whoami() -> dict:
    """Returns who you are."""
    return ANSWER


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    app = server.http_app(path="/mcp", stateless_http=True, json_response=True)
    config = uvicorn.Config(app, log_level="warning", access_log=False)
    print(listener.getsockname()[1], flush=True)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


main()
