"""Talks to `ctxhost mcp` with the protocol's own Python client, and prints what it saw as one JSON document.

Usage: client.py PROGRAM; the environment and the working directory are the server's as well.
The client holds every message against the protocol's types, so that a message that is wrong ends it.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client


async def main(program):
    seen = {"notifications": []}

    async def told(message):
        seen["notifications"].append(getattr(getattr(message, "root", message), "method", str(message)))

    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ), cwd=os.getcwd())
    async with stdio_client(server) as (read, write), ClientSession(read, write, message_handler=told) as session:
        begun = await session.initialize()
        seen["initialize"] = begun.model_dump(mode="json", by_alias=True, exclude_none=True)
        listed = await session.list_tools()
        seen["tools"] = [tool.name for tool in listed.tools]
        seen["calls"] = {}
        for what in ["nothing", "image", "structured", "both", "error", "fail", "change"]:
            result = await session.call_tool("act", {"do": what})
            seen["calls"][what] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        try:
            await session.call_tool("no_such", {})
        except Exception as error:
            seen["unknown"] = str(error)
        try:
            # The client gives up by itself and tells the server so.
            await session.call_tool("act", {"do": "wait"}, read_timeout_seconds=0.5)
        except Exception as error:
            seen["given_up"] = str(error)
        asked = await session.call_tool("ctxhost_inject", {"prompt": "hello"})
        seen["inject"] = asked.content[0].text
        seen["tools_later"] = [tool.name for tool in (await session.list_tools()).tools]
        await session.send_ping()
    print(json.dumps(seen))


asyncio.run(asyncio.wait_for(main(sys.argv[1]), timeout=60))
