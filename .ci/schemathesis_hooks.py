"""Replaces the OpenAPI documents' example values, which requests contain, by values that exist in the seeded sandbox.

The documents are fuzzed as they are published. Their examples contain values that do not exist in the sandbox, such as
ids and e-mail addresses. The server would reject a request with these values. The environment variable SANDBOX_STATE is
the path of the sandbox's folder, which contains demo.json.
"""

import json
import os
import pathlib

import schemathesis

DEMO = json.loads(pathlib.Path(os.environ["SANDBOX_STATE"], "demo.json").read_text())

# Example values of the documents, each with the path of a member of demo.json. The member's value replaces the example.
EXAMPLES = {
    "cmp_38f3jpq800005": "workspaces.first.id",
    "usr_38f3jtev4001a": "people.admin.id",
    "usr_38f3jy2mc002f": "people.employee.id",
    "usr_38f3sjfxp003m": "installation.bot_user_id",
    "grp_38f3k5drc004s": "conversations.public_group",
    "chn_38f3kshh00051": "conversations.channel",
    "gmsg_38f3th2s6004q": "messages.bot",
    "gmsg_38f3tz9t8006e": "messages.bot",
    "gmsg_38f3tawmg0088": "messages.file",
    "fil_38f3t4rvm00aj": "files.document",
    "app_38f3scce000bq": "apps.installed.id",
    "ins_38f3sjfv000cw": "installation.id",
    "ada@example.com": "people.employee.email",
    "grace@example.com": "people.admin.email",
    "correct horse battery": "password",
    "https://buildbot.example.com/oauth/callback": "apps.installed.redirect_uri",
}

# The documents' example of a cursor. The sandbox did not issue it, so it is removed and the first page is requested.
CURSOR = "AbY3dpN7bmV4dF9wYWdlX29mX2FfbGlzdAk4Qw2TxL0fVhZc"


def value(path: str) -> str:
    found = DEMO
    for name in path.split("."):
        found = found[name]
    return found


VALUES = {example: value(path) for example, path in EXAMPLES.items()}


def filled(node):
    """Returns `node` with every example in its strings replaced."""
    if isinstance(node, str):
        for example, replacement in VALUES.items():
            node = node.replace(example, replacement)
        return node
    if isinstance(node, dict):
        return {name: filled(member) for name, member in node.items()}
    if isinstance(node, list):
        return [filled(member) for member in node]
    return node


@schemathesis.hook
def before_call(context, case, kwargs):
    for place in ("path_parameters", "query", "headers"):
        members = getattr(case, place)
        for name, member in list((members or {}).items()):
            replaced = filled(member)
            if replaced != member:
                members[name] = replaced
    if (case.query or {}).get("cursor") == CURSOR:
        del case.query["cursor"]
    if isinstance(case.body, (str, dict, list)):
        replaced = filled(case.body)
        if replaced != case.body:
            case.body = replaced
