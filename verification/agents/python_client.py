"""Uses the tools of a server by the official Python SDK, and prints the revision of the protocol that was spoken.

python python_client.py <address of /mcp> <revision> <PDF>; the API key is in QUIRE_KEY. The SDK is 1.x or 2.x, whichever
is installed.
"""

import asyncio
import os
import sys
import urllib.request
from contextlib import asynccontextmanager
from importlib.metadata import version

HEADERS = {"X-API-KEY": os.environ["QUIRE_KEY"]}
MODERN = "2026-07-28"


@asynccontextmanager
async def connected(url, revision):
    """Yields a client and the revision that it speaks."""
    if version("mcp").startswith("1."):
        from mcp import ClientSession
        from mcp.client.streamable_http import streamablehttp_client

        async with streamablehttp_client(url, headers=HEADERS) as (read, write, _):
            async with ClientSession(read, write) as session:
                yield session, (await session.initialize()).protocolVersion
    else:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async with httpx2.AsyncClient(headers=HEADERS) as http:
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, mode=MODERN if revision == MODERN else "legacy") as client:
                yield client, client.protocol_version


async def call(client, tool, arguments):
    """Returns the structured result of a tool that must succeed."""
    result = (await client.call_tool(tool, arguments)).model_dump(by_alias=True)
    if result.get("isError"):
        raise RuntimeError(f"{tool}: {result['content']}")
    return result["structuredContent"]


def upload(address, path):
    """Sends a file to a one-time address, as multipart/form-data."""
    with open(path, "rb") as file:
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
        body = head + file.read() + b"\r\n--x--\r\n"
    request = urllib.request.Request(address, body, {"Content-Type": "multipart/form-data; boundary=x"})
    urllib.request.urlopen(request).close()


async def main(url, revision, pdf):
    async with connected(url, revision) as (client, spoken):
        tools = [tool.name for tool in (await client.list_tools()).tools]
        if "rotate_pdf" not in tools:
            raise RuntimeError(f"rotate_pdf is not among the tools: {tools}")
        slot = await call(client, "create_upload", {})
        upload(slot["uploadUrl"], pdf)
        rotated = await call(client, "rotate_pdf", {"fileInput": slot["fileId"], "angle": 90})
        with urllib.request.urlopen(rotated["files"][0]["link"]) as answer:
            if b"/Rotate 90" not in answer.read():
                raise RuntimeError("the result is not rotated")
    print(spoken)


asyncio.run(main(*sys.argv[1:]))
