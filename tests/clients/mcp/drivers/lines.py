"""Puts an MCP client in Python behind the line-delimited JSON protocol that lines.js describes."""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "lib"))
import desk  # noqa: E402

URL = os.environ["MCP_URL"]
MODE = os.environ["MCP_MODE"]
REDIRECT = os.environ["REDIRECT_URI"]
DOCUMENT = os.environ.get("METADATA_DOCUMENT") or None
NAME = os.environ["CLIENT_NAME"]
STORE = Path(os.environ["STORE"])

_clock = time.time
_ahead = 0.0


def advance(seconds: float) -> None:
    """
    Moves the clock of this process forward, because the scenario has moved the server's clock. A client that checks
    when its tokens expire needs the server's time.
    """
    global _ahead
    _ahead += seconds
    time.time = lambda: _clock() + _ahead


async def visit(url: str) -> str:
    """Opens an authorization URL as the employee, and returns the `Location` of the final redirect."""
    answer = await asyncio.to_thread(desk.visit, url)
    if "location" not in answer:
        raise RuntimeError(f"the last page does not redirect to the client: {answer['text']}")
    return answer["location"]


def outcome(result) -> dict:
    """Converts the result of a tool to the members that ../scenario.js compares."""
    return {
        "structured": result.structured_content,
        "text": "\n".join(part.text for part in result.content if part.type == "text"),
        "isError": bool(result.is_error),
    }


def listed(tools) -> list:
    """Converts a list of tools to the members that ../scenario.js compares."""
    return [
        {
            "name": tool.name,
            "input": tool.input_schema,
            "output": tool.output_schema,
            "readOnly": tool.annotations and tool.annotations.read_only_hint,
        }
        for tool in tools
    ]


def _innermost(error: BaseException) -> BaseException:
    """Returns the first exception inside nested exception groups."""
    while inner := getattr(error, "exceptions", None):
        error = inner[0]
    return error


class ClientTask:
    """
    Keeps a client open in a task of its own. If an error ends the client, the current call and every later call raise
    the error. The process continues.
    """

    def __init__(self, opened):
        """`opened` is an asynchronous context manager whose value is the client."""
        self._calls = asyncio.Queue()
        self._task = asyncio.create_task(self._run(opened))

    async def do(self, action):
        """Calls an asynchronous function with the client, and returns its result."""
        answer = asyncio.get_running_loop().create_future()
        await self._calls.put((action, answer))
        await asyncio.wait([self._task, answer], return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        error = self._task.exception() if not self._task.cancelled() else None
        raise error or RuntimeError("the client has ended")

    async def end(self):
        await self._calls.put(None)
        await self._task

    async def abandon(self, auth):
        """
        Cancels the task of the client, because a new client replaces the client. First makes `auth`, the client's OAuth
        provider, pass requests on unchanged. Otherwise the old client would reopen its stream with tokens that the new
        client has replaced, and the provider would then ask the employee for consent again.
        """

        async def unauthorized(request):
            yield request

        auth.async_auth_flow = unauthorized
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self, opened):
        async with opened as client:
            while call := await self._calls.get():
                action, answer = call
                try:
                    answer.set_result(await action(client))
                except Exception as error:
                    answer.set_exception(error)


async def serve(client) -> None:
    """Calls the method that each request on standard input names, until standard input ends."""
    lines = asyncio.StreamReader(limit=2**20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        given = json.loads(line)
        try:
            answer = {"result": await getattr(client, given.pop("do"))(**given)}
        except Exception as error:
            error = _innermost(error)
            answer = {"error": {"name": type(error).__name__, "message": str(error), "cause": str(error.__cause__ or "")}}
        print(json.dumps(answer), flush=True)
