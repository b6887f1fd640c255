"""Tests the packages that openapi-python-client generates from the OpenAPI documents of a running server: the generator
prints no warning, mypy accepts the packages, and the packages can call the server. A package that is generated from an
OpenAPI 3.1 document is named `switchboard_…_3_1`."""

import base64
import hashlib
import importlib
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))

from desk import BASE, OPERATOR_KEY, demo, visit  # noqa: E402

REDIRECT = "http://127.0.0.1:53682/callback"
NAMES = ["bot", "assistant", "admin", "bot-3.1", "assistant-3.1", "admin-3.1"]

# a Python package name has neither hyphens nor full stops
MODULE = str.maketrans("-.", "__")


def tool(name, *arguments):
    programs = pathlib.Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([programs / name, *map(str, arguments)], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stdout}{done.stderr}")


class GeneratedPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        packages = []
        for name in NAMES:
            document = root / f"{name}.json"
            document.write_bytes(opener.open(f"{BASE}/openapi/{name}.json", timeout=60).read())
            package = root / f"switchboard_{name.translate(MODULE)}"
            tool(
                "openapi-python-client", "generate", "--path", document, "--output-path", package, "--meta", "none",
                "--fail-on-warning",
            )
            packages.append(package)
        tool("mypy", "--config-file", HERE / "mypy.ini", "--cache-dir", root / "mypy", *packages)
        sys.path.insert(0, folder.name)
        cls.addClassCleanup(sys.path.remove, folder.name)
        for package in packages:
            for module in sorted(package.rglob("*.py")):
                importlib.import_module(".".join(module.relative_to(root).with_suffix("").parts))
        cls.seeded = demo()

    def test_a_bot_sends_and_reads_messages(self):
        from switchboard_bot import AuthenticatedClient
        from switchboard_bot.api.auth import test_auth
        from switchboard_bot.api.conversations import list_conversation_messages
        from switchboard_bot.api.messages import create_message
        from switchboard_bot.api.users import get_user
        from switchboard_bot.models import Destination, DestinationType, ErrorEnvelope, MessageCreate, MessageCreateMetadata

        client = AuthenticatedClient(base_url=BASE, token=self.seeded["installation"]["bot_token"])
        self.assertEqual(test_auth.sync(client=client).app_id, self.seeded["apps"]["installed"]["id"])
        group = self.seeded["conversations"]["public_group"]
        body = MessageCreate(
            to=Destination(type_=DestinationType.CONVERSATION, id=group),
            text="Hello",
            metadata=MessageCreateMetadata.from_dict({"build": 42}),
        )
        sent = create_message.sync(client=client, body=body, idempotency_key=secrets.token_hex(8)).message
        self.assertIsNone(sent.thread_id)
        page = list_conversation_messages.sync(group, client=client, limit=1)
        self.assertEqual([message.id for message in page.messages], [sent.id])
        unknown = get_user.sync("usr_38f3jy2mc002g", client=client)
        self.assertIsInstance(unknown, ErrorEnvelope)
        self.assertEqual(unknown.error.code, "user_not_found")

    def test_a_bot_sends_a_message_with_openapi_3_1(self):
        from switchboard_bot_3_1 import AuthenticatedClient
        from switchboard_bot_3_1.api.messages import create_message
        from switchboard_bot_3_1.models import Destination, DestinationType, MessageCreate

        client = AuthenticatedClient(base_url=BASE, token=self.seeded["installation"]["bot_token"])
        to = Destination(type_=DestinationType.CONVERSATION, id=self.seeded["conversations"]["public_group"])
        body = MessageCreate(to=to, text="Hello", thread_id=None)
        sent = create_message.sync(client=client, body=body, idempotency_key=secrets.token_hex(8))
        self.assertIs(sent.ok, True)
        self.assertIsNone(sent.message.thread_id)

    def test_a_revocation_of_an_unknown_token_succeeds(self):
        from switchboard_bot import Client
        from switchboard_bot.api.oauth import revoke_token
        from switchboard_bot.models import RevokeRequest

        app = self.seeded["apps"]["installed"]
        body = RevokeRequest(token="unknown", client_id=app["client_id"], client_secret=app["client_secret"])
        self.assertTrue(revoke_token.sync(client=Client(base_url=BASE), body=body).ok)

    def test_the_operator_lists_people_and_installations(self):
        from switchboard_admin import AuthenticatedClient
        from switchboard_admin.api.installations import list_installations
        from switchboard_admin.api.users import admin_list_users

        client = AuthenticatedClient(base_url=BASE, token=OPERATOR_KEY)
        company = self.seeded["workspaces"]["first"]["id"]
        people = admin_list_users.sync(company, client=client, limit=1000).users
        self.assertIn(self.seeded["people"]["employee"]["id"], [person.id for person in people])
        installations = list_installations.sync(company, client=client).installations
        self.assertIn(None, [installation.reason for installation in installations])

    def test_the_operator_uploads_a_file(self):
        import io

        employee = self.seeded["people"]["employee"]
        for package in "switchboard_admin", "switchboard_admin_3_1":
            with self.subTest(package):
                module = importlib.import_module(package)
                upload_file = importlib.import_module(f"{package}.api.files.upload_file")
                content = importlib.import_module(f"{package}.types").File(payload=io.BytesIO(b"the plan"))
                client = module.AuthenticatedClient(base_url=BASE, token=OPERATOR_KEY)
                made = upload_file.sync(
                    employee["workspace_id"], client=client, body=content, name="plan.txt", x_acting_user=employee["id"]
                )
                self.assertEqual(made.file.size, 8)

    def test_an_assistant_connects_and_revokes_its_token(self):
        from switchboard_assistant import Client
        from switchboard_assistant.api.clients import register_client
        from switchboard_assistant.api.metadata import get_authorization_server
        from switchboard_assistant.api.tokens import exchange_grant, revoke_connection
        from switchboard_assistant.models import AuthMethod, ClientMetadata, GrantRequest, OAuthError, RevocationRequest

        client = Client(base_url=BASE)
        server = get_authorization_server.sync(client=client)
        self.assertEqual(server.issuer, BASE)
        metadata = ClientMetadata(
            client_name="Python Client", redirect_uris=[REDIRECT], token_endpoint_auth_method=AuthMethod.NONE
        )
        client_id = register_client.sync(client=client, body=metadata).client_id
        verifier = secrets.token_urlsafe(32)
        digest = hashlib.sha256(verifier.encode()).digest()
        query = {
            "response_type": "code", "client_id": client_id, "redirect_uri": REDIRECT, "state": "s",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), "code_challenge_method": "S256",
        }
        location = visit(f"{server.authorization_endpoint}?{urllib.parse.urlencode(query)}")["location"]
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["code"][0]
        grant = GrantRequest(
            grant_type="authorization_code", code=code, code_verifier=verifier, redirect_uri=REDIRECT, client_id=client_id
        )
        tokens = exchange_grant.sync(client=client, body=grant)
        self.assertTrue(tokens.access_token.startswith("svc_mcp_at_test_"))
        again = exchange_grant.sync(client=client, body=grant)
        self.assertIsInstance(again, OAuthError)
        self.assertEqual(again.error, "invalid_grant")
        revoked = revoke_connection.sync(
            client=client, body=RevocationRequest(token=tokens.refresh_token, client_id=client_id)
        )
        self.assertNotIsInstance(revoked, OAuthError)


if __name__ == "__main__":
    unittest.main()
