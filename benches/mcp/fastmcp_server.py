"""A server for the benchmark's comparison with FastMCP. Serves one tool over stateless HTTP with JSON responses, in one
process. The tool always returns the contents of the file that the command-line argument names (`answer.json` of this
folder). Prints the port as the first line of standard output, and serves until the process is killed."""

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
