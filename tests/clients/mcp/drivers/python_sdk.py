"""Lets the tests drive the MCP client of the Python SDK (version 2 of the PyPI package `mcp`) through `lines.py`."""

import asyncio
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import httpx2
import lines
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken


class Storage:
    """Stores tokens and the registration in files."""

    async def get_tokens(self):
        return self._read("tokens.json", OAuthToken)

    async def set_tokens(self, tokens):
        self._write("tokens.json", tokens)

    async def get_client_info(self):
        return self._read("client.json", OAuthClientInformationFull)

    async def set_client_info(self, client_info):
        self._write("client.json", client_info)

    def _read(self, name, model):
        file = lines.STORE / name
        return model.model_validate_json(file.read_text()) if file.exists() else None

    def _write(self, name, value):
        (lines.STORE / name).write_text(value.model_dump_json())


class Driver:
    location = ""
    task = None

    async def redirect(self, url):
        self.location = await lines.visit(url)

    async def callback(self):
        answer = {name: values[0] for name, values in parse_qs(urlsplit(self.location).query).items()}
        if "error" in answer:
            raise RuntimeError(f"authorization failed: {answer['error']}")
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    async def connect(self):
        metadata = OAuthClientMetadata(
            client_name=lines.NAME, redirect_uris=[lines.REDIRECT], token_endpoint_auth_method="none"
        )
        if self.task:
            await self.task.abandon(self.provider)
        self.provider = OAuthClientProvider(
            lines.URL, metadata, Storage(), self.redirect, self.callback, client_metadata_url=lines.DOCUMENT
        )
        self.task = lines.ClientTask(self.opened(self.provider))
        return await self.task.do(self.introduce)

    @asynccontextmanager
    async def opened(self, provider):
        async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
            async with Client(streamable_http_client(lines.URL, http_client=http), mode=lines.MODE) as client:
                yield client

    async def introduce(self, client):
        return {"version": client.protocol_version, "server": client.server_info.name}

    async def list(self):
        # without `refresh`, the SDK could return the list that it has cached for the previous token
        return lines.listed((await self.task.do(lambda client: client.list_tools(cache_mode="refresh"))).tools)

    async def call(self, tool, arguments):
        return lines.outcome(await self.task.do(lambda client: client.call_tool(tool, arguments)))

    async def advance(self, seconds):
        lines.advance(seconds)

    async def close(self):
        await self.task.end()


asyncio.run(lines.serve(Driver()))
