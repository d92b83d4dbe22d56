"""A Model Context Protocol server of the package mcp on a port of 127.0.0.1, and plain events of sse-starlette.

    mcp_server.py PORT

`/mcp` is the server, with tools that report their progress. `/events/SEPARATOR` sends events whose lines end with crlf, cr
or lf: those after `Last-Event-ID`, at most `?most=` for a connection.
"""
import asyncio
import sys

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request

SEPARATORS = {"crlf": "\r\n", "cr": "\r", "lf": "\n"}
EVENTS = [
    dict(data="one", id="1", event="add"),
    dict(data="two\nlines", id="2"),
    dict(comment="ping"),
    dict(data="", id="3", event="empty"),
    dict(data="Grüße 🦊", id="4", retry=100),
    dict(data='{"a": "b:c"}', id="5"),
]


class MemoryStore(EventStore):
    """All events of the server, in their order. An ID is the number of the event."""

    def __init__(self):
        self.events: list[tuple[StreamId, JSONRPCMessage | None]] = []
        #: The calls whose client has said that it read all reports so far.
        self.read: set[str] = set()
        self.came = asyncio.Condition()

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        async with self.came:
            self.events.append((stream_id, message))
            self.came.notify_all()
            return str(len(self.events))

    async def wait_for_result(self, stream_id: StreamId) -> None:
        def is_there() -> bool:
            return any(one == stream_id and hasattr(message, "result") for one, message in self.events)

        async with self.came:
            await self.came.wait_for(is_there)

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        if not last_event_id.isdecimal() or not 0 < int(last_event_id) <= len(self.events):
            return None
        stream = self.events[int(last_event_id) - 1][0]
        for number, (other, message) in enumerate(self.events[int(last_event_id) :], int(last_event_id) + 1):
            if other == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


store = MemoryStore()
server = MCPServer("NetKit")


@server.tool()
async def add(first: int, second: int) -> int:
    """Adds two numbers."""
    return first + second


@server.tool()
async def wait(call: int) -> str:
    """Waits for the end of another call. A stream that is resumed before can miss an event that happens meanwhile."""
    await store.wait_for_result(str(call))
    return "done"


@server.tool()
async def read(call: int) -> str:
    """Says that the client has read all reports of another call so far."""
    async with store.came:
        store.read.add(str(call))
        store.came.notify_all()
    return "noted"


@server.tool()
async def fail() -> str:
    """Fails."""
    raise ValueError("The disk is full.")


@server.tool()
async def count(to: int, leaving_after: int, context: Context) -> str:
    """Counts, and reports each number. The server closes the stream once one of them was read, but counts on."""
    for number in range(1, to + 1):
        await context.report_progress(number, to, f"number {number}")
        # Each report is an event of its own.
        await asyncio.sleep(0.02)
        if number == leaving_after:
            async with store.came:
                await store.came.wait_for(lambda: str(context.request_id) in store.read)
            await context.close_sse_stream()
    return f"counted to {to}"


async def events(request: Request) -> EventSourceResponse:
    after = int(request.headers.get("last-event-id", 0))
    most = int(request.query_params.get("most", len(EVENTS)))
    left = [event for event in EVENTS if int(event.get("id", after + 1)) > after]
    separator = SEPARATORS[request.path_params["separator"]]

    async def following():
        for event in left[:most]:
            # An event has a separator of its own.
            yield ServerSentEvent(**event, sep=separator)

    return EventSourceResponse(following(), sep=separator, ping=0)


def main() -> None:
    application = server.streamable_http_app(event_store=store, retry_interval=100)
    application.add_route("/events/{separator}", events)
    uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
