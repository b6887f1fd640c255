#!/usr/bin/env python3
"""Writes the seed inputs and the dictionary of each fuzz target.

Most seeds are made from examples of the OpenAPI documents and from string literals of unit tests.

    fuzz/seeds.py FOLDER [TARGET...]      seeds: FOLDER/TARGET/*, dictionary: FOLDER/TARGET.dict
                                          by default for all targets
"""

import hashlib
import json
import pathlib
import re
import sys
from urllib.parse import urlencode

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = {name: json.loads((ROOT / f"generated/{name}.json").read_text()) for name in ("bot", "assistant", "admin")}
FORM = "application/x-www-form-urlencoded"
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", '"': '"', "\\": "\\", "'": "'"}


def compact(value) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def literals(*files: str) -> list[str]:
    """Returns the string literals in the unit tests of source files."""
    found = []
    for file in files:
        tests = (ROOT / "src" / file).read_text().partition("#[cfg(test)]")[2]
        if not tests:
            sys.exit(f"src/{file} has no unit tests to take seeds from")
        for match in re.finditer(r'r#"(.*?)"#|b?"((?:[^"\\]|\\.)*)"', tests, re.S):
            if match[1] is not None:
                found.append(match[1])
                continue
            text = re.sub(r"\\\n\s*", "", match[2])
            text = re.sub(r"\\u\{(\w+)\}", lambda code: chr(int(code[1], 16)), text)
            found.append(re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), text))
    return [text for text in dict.fromkeys(found) if text]


def operations():
    for api, document in DOCUMENTS.items():
        for item in document["paths"].values():
            for operation in item.values():
                if isinstance(operation, dict) and "requestBody" in operation:
                    yield api, document, operation


def examples(content: dict) -> list:
    return [content["example"]] if "example" in content else [one["value"] for one in content.get("examples", {}).values()]


def sample(document: dict, schema: dict, depth: int = 0):
    """Returns an example of a schema. If the schema of an object has no example, the result has all properties."""
    if "$ref" in schema:
        return sample(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], depth)
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return sample(document, schema[several][0], depth)
    if "example" in schema:
        return schema["example"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object" if depth < 6:
            return {name: sample(document, member, depth + 1) for name, member in schema.get("properties", {}).items()}
        case "array":
            return [sample(document, schema["items"], depth + 1)]
        case "string":
            return "2026-11-20T12:00:00Z" if schema.get("format") == "date-time" else "a" * schema.get("minLength", 1)
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return {}


def bodies():
    for api, document, operation in operations():
        if operation.get("x-raw") or operation.get("x-outside"):
            continue
        body = operation["requestBody"]
        also = operation.get("x-also-accepts", body.get("x-also-accepts", []))
        for media_type, content in body["content"].items():
            values = examples(content) + [sample(document, content["schema"])]
            for value in values:
                for sent_as in {media_type, *also}:
                    head = f"{api} {operation['operationId']} {sent_as}\n".encode()
                    if sent_as != FORM:
                        yield head + compact(value)
                    elif isinstance(value, dict):
                        yield head + urlencode(value, doseq=True).encode()
            full = values[-1]
            if media_type != FORM and isinstance(full, dict):
                head = f"{api} {operation['operationId']} {media_type}\n".encode()
                for name in full:
                    yield head + compact({**full, name: None})


def json_texts():
    yield from (text.encode() for text in literals("domain/strict_json.rs", "domain/json_fingerprint.rs") if text[0] in '[{"-0123456789ntf ')
    yield b'{"a":[1,-0,1E5,1.50,12345678901234567890123],"b":{"\\u00e9":"\\ud83d\\ude00"},"c":null}'
    yield from bodies_only()


def bodies_only():
    for body in bodies():
        yield body.partition(b"\n")[2]


def blocks():
    for body in bodies_only():
        try:
            value = json.loads(body)
        except ValueError:
            continue
        for name in ("blocks", "metadata"):
            if isinstance(value, dict) and value.get(name):
                yield compact(value[name])
    text = {"type": "section", "text": "*x*"}
    fields = [{"label": "Branch", "value": "main", "short": True}]
    yield compact([text, {"type": "fields", "fields": fields}, {"type": "header", "text": "x"}, {"type": "context", "text": "y"}])
    yield compact([{"type": "fields", "items": fields}])
    yield compact({"a": None, "b": {"c": []}, "d": 1.5})


def redirects():
    uris = literals("domain/redirect.rs", "domain/assistant/redirect.rs", "pages/next.rs")
    uris = [uri for uri in uris if re.match(r"[\w+.-]*:|/", uri) and "\n" not in uri]
    for uri in uris:
        yield f"{uri}\nhttp://127.0.0.1:8080/cb\n{uri}\nx y".encode()
    for one, other in zip(uris, uris[1:]):
        yield f"{one}\n{other}\nstate".encode()


def client_ids():
    names = literals("domain/assistant/names.rs")
    caches = [text for text in literals("domain/assistant/document.rs") if "max-age" in text or "no-store" in text]
    for at, url in enumerate(text for text in literals("domain/assistant/client_id.rs") if ":" in text):
        document = {"client_id": url, "client_name": "A Tool", "redirect_uris": ["https://client.example/cb"]}
        lines = [url, names[at % len(names)], caches[at % len(caches)]]
        yield "\n".join(line.replace("\n", " ") for line in lines).encode() + b"\n" + compact(document)
    for name in names:
        yield f"https://client.example/a\n{name}\nmax-age=600|no-store\n{{}}".encode()


def mcp():
    versions = ["2026-07-28", "2025-11-25", "2025-06-18"]
    for _, _, operation in operations():
        if operation.get("x-outside"):
            for value in examples(operation["requestBody"]["content"]["application/json"]):
                for version in versions:
                    head = f"mcp-protocol-version: {version}\nmcp-method: {value.get('method', '')}\nmcp-name: read_messages\n\n"
                    yield head.encode() + compact(value)
    tools = re.findall(r"^## `?(\w+)`?", (ROOT / "docs/mcp-tools.md").read_text(), re.M)
    arguments = {
        "conversation": "grp_38f3k5drc004s", "person": "ada@example.com", "limit": 5, "cursor": "x", "text": "x",
        "after": "2026-11-20T12:00:00Z", "types": ["group", "dm"], "idempotency_key": "k", "draft_id": "drf_1",
        "message": "gmsg_1", "query": "build", "file_id": "fil_1", "thread_id": "gmsg_1", "from": "usr_1",
    }
    for tool in tools:
        for given in [arguments, {}, *({name: value} for name, value in arguments.items())]:
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
            yield b"mcp-protocol-version: 2025-11-25\n\n" + compact(call)
    yield from (b"\n" + text.encode() for text in literals("assistant/mcp/jsonrpc.rs") if text[0] in "{[")
    meta = {"io.modelcontextprotocol/protocolVersion": versions[0], "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": "whoami", "arguments": {}, "_meta": meta}
    call = compact({"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": params})
    yield b"mcp-protocol-version: 2026-07-28\nmcp-method: tools/call\nmcp-name: =?base64?d2hvYW1p?=\n\n" + call


def headers():
    lists = {
        "accept": "contract/accept.rs", "content-type": "contract/accept.rs", "range": "domain/range.rs",
        "authorization": "api/mod.rs", "cookie": "api/cookies.rs", "x-forwarded-for": "platform/client_ip.rs",
        "origin": "assistant/mcp/origin.rs",
    }
    for name, file in lists.items():
        for text in literals(file):
            if text.isascii() and "\n" not in text:
                yield f"{name}: {text}\n\n".encode()
    yield from (b"\n" + text.encode() for text in literals("contract/guard.rs"))
    yield (
        b"accept: text/html;q=0.9, application/json;q=0.001\naccept: */*;q=0\ncontent-type: application/json ; charset=utf-8\n"
        b"range: bytes=2-4\nauthorization: Basic YTpi\ncookie: __Host-session=x; session=y\n"
        b"x-forwarded-for: 198.51.100.1, 10.9.9.9\norigin: https://any.example\nidempotency-key: k\n\na=1&token=x"
    )


def search():
    texts = literals("domain/search.rs", "domain/people_search.rs")
    for at, text in enumerate(texts):
        yield f"{text}\n{texts[at - 1]} {text}".replace("\r", " ").encode()
    yield 'deploy* "the build" green\nThe build is green: deployed'.encode()


def signatures():
    right = "v1=12d0c06786a542844d6d9b9992e08cc9dc54898cc8b84fee7ba7d308a0f91840"
    for timestamp in ("1795196100", "1795195700", "0", "-1", "1795196100.0"):
        for value in (right, f"v0=abc, {right}", right.upper(), "v1="):
            yield f'whsec_new\n{timestamp}\n{value}\n{{"id":"evt_1"}}'.encode()


def framing():
    for text in literals("platform/net/framing.rs"):
        for size in (1, 7, 255):
            yield bytes([size]) + text.encode()
    chunked = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nx: y\r\n\r\n"
    both = "POST / HTTP/1.1\r\nhost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield b"\x05" + (chunked + both).encode()
    yield b"\x40" + ("POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc" + chunked + both).encode()


def forms():
    yield from (text.encode() for text in literals("contract/guard.rs"))
    yield from (body for body in bodies_only() if body[:1] not in (b"{", b"["))
    yield b"a=b+c%20d&e[]=1&e[]=2&%C3%A9=%F0%9F%98%80&=&x"


def multipart():
    def part(head: str, content: str) -> str:
        return f"--edge\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n"

    fields = part('name="csrf"', "token") + part('name="client_key"', "k") + part('name="text"', "a\r\n--edg\u00e9")
    names = ["a.txt", "a%22b%0D%0A.txt", "C:\\a.txt", "back\\", 'a\\"b', "", "\u00e9\U0001f600.png", "a\x01b"]
    files = "".join(part(f'name="file"; filename="{name}"\r\nContent-Type: image/png; a=b', "\x89PNG\r\n\r\r\n--edg") for name in names)
    other = part("name=file; filename=a.txt", "x") + part('filename="a"; name = "file"', "x") + part('name="other"', "skipped")
    for body in [fields + files, fields + other, files[: len(files) // 2], fields.replace("--edge", "--edge \t"), "preamble\r\n" + fields]:
        for sizes in (b"", b"\x00", b"\x02\x06\x1e", b"\xff"):
            for end in ("--edge--\r\n", "--edge", ""):
                yield b"multipart/form-data; boundary=edge\n" + sizes + b"\n" + (body + end).encode()
    yield b'multipart/form-data; charset=utf-8; boundary="----WebKitFormBoundary x"\n\x05\n------WebKitFormBoundary x--'


def uploads():
    yield from (b"\x00" + bytes(pair for size in sizes for pair in size) for sizes in ([(5, 0)], [(255, 1), (255, 3), (9, 0)]))
    yield b"\x01\x09\x02"
    yield b"\x00" + b"\xff\x01" * 8


def texts():
    files = ("ids", "time", "token", "email", "people", "scopes", "grant", "pkce", "base62", "visible", "conversation")
    yield from (text.encode() for text in literals(*(f"domain/{file}.rs" for file in files)))
    yield b"usr_38f3jtev4001a"
    yield b"2026-11-20T12:00:00.123456+05:30"


def cursors():
    yield bytes(64)
    yield b"listUsers" + bytes(range(96))


TARGETS = {
    "json": json_texts, "bodies": bodies, "blocks": blocks, "cursors": cursors, "redirects": redirects,
    "client_ids": client_ids, "mcp": mcp, "headers": headers, "search": search, "signatures": signatures,
    "uploads": uploads, "framing": framing, "forms": forms, "multipart": multipart, "texts": texts,
}


JSON = ["{", "}", "[", "]", ",", ":", "null", "true", "false", "-0", "1.0", "1e2", "1E-400", '""', "\\u0000", "\\ud83d\\ude00"]
HEADERS = [
    "accept: ", "content-type: ", "content-encoding: ", "range: bytes=", "authorization: Bearer ", "authorization: Basic ",
    "cookie: ", "__Host-session=", "x-forwarded-for: ", "origin: https://", "idempotency-key: ", "application/json",
    "text/event-stream", "*/*", ";q=0", ";q=0.001", "; charset=utf-8", "identity", "gzip", "svc_bot_test_", "svc_mcp_at_live_",
    "access_token=", "[2001:db8::7]:443", "10.0.0.1",
]
URIS = [
    "https://", "http://", "http://127.0.0.1:", "http://[::1]", "http://localhost", "com.example.app:/", "vscode://", "//", "/\\",
    "%2e%2e", "%2F", "?", "&", "#", "@", ":443", ":65536", "xn--", "0x7f.1", "2130706433", "[::ffff:1.1.1.1]", "..", "\t", "\n",
]
# the dictionaries of the targets except `bodies` (see `members`): texts that libFuzzer inserts into inputs
WORDS = {
    "json": [*JSON, "$serde_json::private::Number", '{"a":1,"a":2}', "18446744073709551616", "[[[["],
    "blocks": [*JSON, '{"type":"fields","items":', '{"type":"header","text":', '"label":', '"value":', '"fields":', '"section"'],
    "redirects": URIS,
    "client_ids": [*URIS, '"client_id":', '"redirect_uris":', '"client_name":', "max-age=", "no-store", "admin", "switchboard"],
    "mcp": [
        *JSON, '"jsonrpc":"2.0"', '"id":', '"method":', '"params":', '"_meta":', '"arguments":', '"result":', '"error":',
        "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities", "2026-07-28", "2025-11-25",
        "tools/call", "tools/list", "initialize", "mcp-protocol-version: ", "mcp-method: ", "mcp-name: ", "=?base64?", "?=",
    ],
    "headers": HEADERS,
    "search": ['"', "*", "\u201c", "\u00ab", "\u6771", "\u00df", "e\u0301", "\u0130", "\u0e35", "\U0001f44d\U0001f3fd", "AND", "\u00e6"],
    "signatures": ["v1=", "v0=", ",", "1795196100", "\0"],
    "framing": [
        "\r\n", "\r\n\r\n", "\n", "content-length: ", "transfer-encoding: ", "chunked", "POST / HTTP/1.1\r\n", "0\r\n\r\n",
        "http://x/", "ffffffffffffffff\r\n", ";ext=1", " ", "\t",
    ],
    "forms": ["&", "=", "+", "%20", "%00", "%C3%A9", "%ff", "[]", "grant_type=", "client_id="],
    "multipart": [
        "--edge\r\n", "\r\n--edge\r\n", "--edge--\r\n", "\r\n\r\n", "Content-Disposition: form-data; ", 'name="file"; filename="', '"', "\\",
        'name="text"', 'name="csrf"', "%22", "%0D%0A", "Content-Type: text/plain", "multipart/form-data; boundary=", ";", "=",
    ],
    "texts": [
        "usr_", "fil_", "app_", "grp_", "chn_", "dm_", "gmsg_", "dmsg_", "svc_bot_live_", "whsec_", "T00:00:00Z", "+23:59", ".999999999",
        "-12-31", "9999-", "0000-", "Europe/", "\u0130", "\u1e9e", "\u3164", "e\u0301", "@example.com", "messages:write", "service:read",
    ],
}


def members() -> list[str]:
    """Returns the dictionary of the target `bodies`: JSON tokens, the names of APIs and operations with which its
    inputs begin, and all names of members."""
    names = set()
    for api, document, operation in operations():
        names.add(f"{api} {operation['operationId']} ")
    for document in DOCUMENTS.values():
        for schema in document["components"]["schemas"].values():
            names.update(f'"{name}":' for name in schema.get("properties", {}))
    return [*JSON, *sorted(names)]


def dictionary(words: list[str]) -> str:
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words)
    return "".join(f'"{word}"\n' for word in escaped)


def main(folder: str, *chosen: str) -> None:
    for name in chosen or TARGETS:
        words = members() if name == "bodies" else WORDS.get(name, ["\0"])
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        pathlib.Path(folder, f"{name}.dict").write_text(dictionary(words))
        place = pathlib.Path(folder, name)
        place.mkdir(parents=True, exist_ok=True)
        for seed in TARGETS[name]():
            (place / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
