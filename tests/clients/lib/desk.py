"""What a client cannot do itself: asks the desk of `run.js`."""

import json
import os
import urllib.request

BASE = os.environ["SWITCHBOARD_BASE"]


def _ask(task, body):
    request = urllib.request.Request(os.environ["DESK"] + task, json.dumps(body).encode(), method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
        return json.load(answer)


def visit(url, decision="approve"):
    """An employee opens an authorization URL and decides: `{"location"}`, or `{"status", "text"}` of a page."""
    return _ask("/visit", {"url": url, "decision": decision})


def publish(path, document):
    """Puts a client's metadata document on its website; its client id."""
    return _ask("/publish", {"path": path, "document": document})["url"]


def operator(method, path, body=None):
    """The admin API as the operator."""
    return _ask("/operator", {"method": method, "path": path, "body": body})


def demo():
    """What was seeded."""
    return _ask("/demo", {})


def connections():
    """The employee's connections as the company's admins see them, oldest first."""
    employee = demo()["people"]["employee"]
    path = f"/workspaces/{employee['workspace_id']}/connections?user_id={employee['id']}&limit=1000"
    return operator("GET", path)["connections"]
