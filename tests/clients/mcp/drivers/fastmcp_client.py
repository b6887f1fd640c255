"""
Lets the tests drive the MCP client FastMCP (version 4 of the PyPI package `fastmcp`) through `lines.py`. Uses FastMCP's
own authorization flow, which opens a browser and listens at the redirect URI.
"""

import asyncio
from urllib.parse import urlsplit

import lines
from fastmcp import Client
from fastmcp.client.auth import OAuth
from key_value.aio.stores.filetree import (
    FileTreeStore,
    FileTreeV1CollectionSanitizationStrategy,
    FileTreeV1KeySanitizationStrategy,
)


class Driver:
    task = None

    async def connect(self):
        if self.task:
            await self.task.abandon(self.oauth)
        store = FileTreeStore(
            data_directory=lines.STORE,
            key_sanitization_strategy=FileTreeV1KeySanitizationStrategy(lines.STORE),
            collection_sanitization_strategy=FileTreeV1CollectionSanitizationStrategy(lines.STORE),
        )
        self.oauth = OAuth(
            client_name=lines.NAME,
            token_storage=store,
            callback_host="127.0.0.1",
            callback_port=urlsplit(lines.REDIRECT).port,
            callback_timeout=30,
            client_metadata_url=lines.DOCUMENT,
        )
        self.task = lines.ClientTask(Client(lines.URL, auth=self.oauth, mode=lines.MODE))
        return await self.task.do(self.introduce)

    async def introduce(self, client):
        return {"version": client.protocol_version, "server": client.server_info.name}

    async def list(self):
        return lines.listed(await self.task.do(lambda client: client.list_tools()))

    async def call(self, tool, arguments):
        return lines.outcome(await self.task.do(lambda client: client.call_tool_mcp(tool, arguments)))

    async def advance(self, seconds):
        lines.advance(seconds)

    async def close(self):
        await self.task.end()


asyncio.run(lines.serve(Driver()))
