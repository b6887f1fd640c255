"""Calls the desk (desk_server.js): an HTTP server of the tests that acts as an employee and as the operator. The desk
of run.js performs all tasks below. The desk of ../mcp/fixture.js performs only `visit`. It ignores the argument
`decision`, because the fixture decides."""

import json
import os
import urllib.request

BASE = os.environ["SWITCHBOARD_BASE"]
# set by `run.js`; `../mcp/fixture.js` does not set it
OPERATOR_KEY = os.environ.get("OPERATOR_KEY")


def _ask(task, body):
    request = urllib.request.Request(os.environ["DESK"] + task, json.dumps(body).encode(), method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
        return json.load(answer)


def visit(url, decision="approve"):
    """
    Makes an employee open an authorization URL and decide. Returns `{"location"}` of the redirect, or
    `{"status", "text"}` of a page that is shown instead.
    """
    return _ask("/visit", {"url": url, "decision": decision})


def publish(path, document):
    """Publishes a metadata document on the website of OAuth clients, and returns the URL, which is the client id."""
    return _ask("/publish", {"path": path, "document": document})["url"]


def operator(method, path, body=None):
    """Calls the admin API as the operator."""
    return _ask("/operator", {"method": method, "path": path, "body": body})


def demo():
    """Returns the seeded demo data."""
    return _ask("/demo", {})


def connections():
    """Returns the employee's connections as the company's admins see them, oldest first."""
    employee = demo()["people"]["employee"]
    path = f"/workspaces/{employee['workspace_id']}/connections?user_id={employee['id']}&limit=1000"
    return operator("GET", path)["connections"]
