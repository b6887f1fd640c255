"""PyPI fastmcp 4: its own sign-in, with a browser that it opens and a callback that it listens on."""

import asyncio
from urllib.parse import urlsplit

import lines
from fastmcp import Client
from fastmcp.client.auth import OAuth
from key_value.aio.stores.filetree import FileTreeStore


class Driver:
    async def connect(self):
        oauth = OAuth(
            client_name=lines.NAME,
            token_storage=FileTreeStore(data_directory=lines.STORE),
            callback_host="127.0.0.1",
            callback_port=urlsplit(lines.REDIRECT).port,
            callback_timeout=30,
            client_metadata_url=lines.DOCUMENT,
        )
        self.client = Client(lines.URL, auth=oauth, mode=lines.MODE)
        await self.client.__aenter__()
        return {"version": self.client.protocol_version, "server": self.client.server_info.name}

    async def list(self):
        return lines.listed(await self.client.list_tools())

    async def call(self, tool, arguments):
        return lines.told(await self.client.call_tool_mcp(tool, arguments))

    async def advance(self, seconds):
        lines.advance(seconds)

    async def close(self):
        await self.client.__aexit__(None, None, None)


asyncio.run(lines.serve(Driver()))
