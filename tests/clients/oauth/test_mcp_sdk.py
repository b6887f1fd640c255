"""Tests the OAuth server with the OAuth client of the MCP SDK for Python. The client performs discovery, registration,
PKCE, refresh and reconnecting. The tests use it as the SDK's transports do: as the `auth` of an HTTP client."""

import asyncio
import logging
import sys
import unittest
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

sys.path.insert(0, str(Path(__file__).parent.parent / "lib"))
import desk  # noqa: E402

REDIRECT = "http://127.0.0.1:53682/callback"
SCOPES = {"/mcp": "service:read service:write", "/mcp/readonly": "service:read"}


class Resource(httpx2.AsyncHTTPTransport):
    """An HTTP transport that answers in place of the MCP endpoints. A request without a token gets 401 and a challenge.
    A request with any token gets 200. Requests for other paths are sent to the server."""

    async def handle_async_request(self, request):
        path = request.url.path
        if path not in SCOPES:
            return await super().handle_async_request(request)
        if "authorization" in request.headers:
            return httpx2.Response(200, request=request, text=request.headers["authorization"])
        metadata = f"{desk.BASE}/.well-known/oauth-protected-resource{path}"
        challenge = f'Bearer resource_metadata="{metadata}", scope="{SCOPES[path]}"'
        return httpx2.Response(401, request=request, headers={"www-authenticate": challenge})


class Storage:
    """Stores tokens and the registration in memory."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Employee:
    """An employee who opens the SDK's authorization URL and decides on the consent page. The SDK gets the parameters of
    the redirect, changed by `tamper`."""

    def __init__(self, decision="approve", tamper=lambda query: query):
        self.decision = decision
        self.tamper = tamper
        # the parameters of the authorization requests that were opened
        self.requests = []

    async def open(self, url):
        self.requests.append({name: values[0] for name, values in parse_qs(urlsplit(url).query).items()})
        self.answer = await asyncio.to_thread(desk.visit, url, self.decision)

    async def read_redirect(self):
        address = urlsplit(self.answer["location"])
        assert urlunsplit((*address[:3], "", "")) == REDIRECT, address
        query = self.tamper({name: values[0] for name, values in parse_qs(address.query).items()})
        return AuthorizationCodeResult(code=query.get("code", ""), state=query.get("state"), iss=query.get("iss"))


class Client:
    """An MCP client of an employee, with tokens of its own."""

    def __init__(self, employee=None, path="/mcp", document=None, **metadata):
        self.employee = employee or Employee()
        self.storage = Storage()
        self.url = desk.BASE + path
        described = {"client_name": "SDK Client", "redirect_uris": [REDIRECT], **metadata}
        self.provider = OAuthClientProvider(
            self.url,
            OAuthClientMetadata(**described),
            self.storage,
            self.employee.open,
            self.employee.read_redirect,
            client_metadata_url=document,
        )

    async def ask(self):
        """Requests the resource, and returns the token that the SDK finally sent."""
        async with httpx2.AsyncClient(transport=Resource(), auth=self.provider) as http:
            answer = await http.get(self.url)
        assert answer.status_code == 200, answer
        return answer.text.removeprefix("Bearer ")

    def expire_token(self):
        """Makes the SDK regard the access token as expired."""
        self.provider.context.token_expiry_time = 1


class McpSdk(unittest.IsolatedAsyncioTestCase):
    def assert_tokens(self, client, token, scope="service:read service:write"):
        tokens = client.storage.tokens
        self.assertEqual(token, tokens.access_token)
        self.assertRegex(tokens.access_token, "^svc_mcp_at_test_")
        self.assertRegex(tokens.refresh_token, "^svc_mcp_rt_test_")
        self.assertEqual((tokens.scope, tokens.expires_in), (scope, 3600))

    async def assert_connects_and_refreshes(self, client):
        """Asserts that the client connects and refreshes, and that reusing a refresh token revokes the connection."""
        self.assert_tokens(client, await client.ask())
        requests = client.employee.requests
        self.assertEqual((requests[0]["code_challenge_method"], requests[0]["resource"]), ("S256", client.url))
        first = client.storage.tokens
        for _ in range(2):
            client.expire_token()
            before = client.storage.tokens
            self.assert_tokens(client, await client.ask())
            self.assertNotEqual(before.refresh_token, client.storage.tokens.refresh_token)
        self.assertEqual(len(requests), 1, "a refresh does not ask the employee again")
        self.assertEqual(desk.connections()[-1]["state"], "active")
        # the SDK uses the first tokens again, as if the responses with later tokens had not arrived
        client.provider.context.current_tokens = first
        client.expire_token()
        self.assert_tokens(client, await client.ask())
        self.assertEqual(len(requests), 2, "after the revocation, the SDK asks the employee again")
        *_, old, new = desk.connections()
        self.assertEqual((old["state"], old["reason"], new["state"]), ("revoked", "refresh_reused", "active"))

    async def test_a_registered_client_connects(self):
        client = Client()
        await self.assert_connects_and_refreshes(client)
        self.assertRegex(client.storage.client.client_id, "^mcpc_")
        self.assertEqual(client.storage.client.token_endpoint_auth_method, "client_secret_basic")
        self.assertTrue(client.storage.client.client_secret)

    async def test_clients_without_a_secret_or_with_the_secret_in_the_body_connect(self):
        for method in ["none", "client_secret_post"]:
            with self.subTest(method):
                client = Client(token_endpoint_auth_method=method)
                await self.assert_connects_and_refreshes(client)
                self.assertEqual(client.storage.client.token_endpoint_auth_method, method)

    async def test_a_client_with_a_metadata_document_connects(self):
        document = desk.publish("/sdk.json", {"client_name": "SDK Document", "redirect_uris": [REDIRECT]})
        client = Client(document=document)
        await self.assert_connects_and_refreshes(client)
        self.assertEqual(client.storage.client.client_id, document)
        self.assertEqual(desk.connections()[-1]["client_id"], document)

    async def test_the_read_only_resource_grants_only_the_read_scope(self):
        client = Client(path="/mcp/readonly")
        self.assert_tokens(client, await client.ask(), scope="service:read")
        self.assertEqual(desk.connections()[-1]["resource"], f"{desk.BASE}/mcp/readonly")

    async def test_a_client_connects_again_after_its_token_was_revoked(self):
        client = Client(token_endpoint_auth_method="none")
        await client.ask()
        async with httpx2.AsyncClient() as http:
            revoked = client.storage.tokens
            form = {"token": revoked.access_token, "client_id": client.storage.client.client_id}
            answer = await http.post(f"{desk.BASE}/revoke", data=form)
        self.assertEqual((answer.status_code, answer.json()), (200, {}))
        self.assertEqual(desk.connections()[-1]["reason"], "client")
        client.expire_token()
        await client.ask()
        self.assertNotEqual(client.storage.tokens.refresh_token, revoked.refresh_token)
        self.assertEqual(len(client.employee.requests), 2, "after the revocation, the SDK asks the employee again")

    async def test_the_sdk_rejects_a_response_of_another_issuer_or_without_issuer(self):
        def without(query):
            return {name: value for name, value in query.items() if name != "iss"}

        for tamper in [without, lambda query: query | {"iss": "https://evil.example"}]:
            client = Client(Employee(tamper=tamper))
            with self.assertRaises(OAuthFlowError):
                await client.ask()
            self.assertIsNone(client.storage.tokens)

    async def test_a_denial_is_returned_as_access_denied(self):
        answers = []
        client = Client(Employee("deny", tamper=lambda query: answers.append(query) or query))
        with self.assertRaises(OAuthFlowError):
            await client.ask()
        self.assertEqual((answers[0]["error"], answers[0]["iss"]), ("access_denied", desk.BASE))

    async def test_an_invalid_registration_is_rejected(self):
        for wrong in [{"client_name": "System Support"}, {"redirect_uris": ["http://client.example/callback"]}]:
            with self.assertRaises(OAuthRegistrationError) as refused:
                await Client(**wrong).ask()
            self.assertIn("400", str(refused.exception))

    async def test_an_unknown_client_gets_an_error_page(self):
        query = urlencode({"client_id": "mcpc_unknown", "redirect_uri": REDIRECT, "response_type": "code"})
        answer = await asyncio.to_thread(desk.visit, f"{desk.BASE}/authorize?{query}")
        self.assertEqual((answer.get("location"), answer["status"]), (None, 400))


# the SDK logs the exceptions that it raises, and asyncio logs slow steps in debug mode
logging.getLogger("mcp").setLevel(logging.CRITICAL)
logging.getLogger("asyncio").setLevel(logging.ERROR)

if __name__ == "__main__":
    unittest.main()
