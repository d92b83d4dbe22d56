"""strawberry-graphql on a port of 127.0.0.1: queries, errors in a 200, tokens that expire, a batch, uploads and events.

    graphql_server.py PORT
"""
import asyncio
import hashlib
import sys
from collections.abc import AsyncGenerator

import strawberry
import uvicorn
from graphql import GraphQLError
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL
from strawberry.types import Info

#: How often a user's token was renewed. The token is the user's name and that number.
renewals: dict[str, int] = {}
#: How many queries of a user wait until there are twenty.
waiting: dict[str, int] = {}
CROWD = 20
everybody_came = asyncio.Condition()


def failure(code: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})


def user_of(info: Info) -> str:
    """The user whose current token the request has; an expired token is an error, with status 200."""
    scheme, _, token = info.context["request"].headers.get("authorization", "").partition(" ")
    user, _, number = token.rpartition("-")
    if scheme != "Bearer" or not renewals.get(user) or number != str(renewals[user]):
        raise failure("UNAUTHENTICATED", "The token has expired.")
    return user


@strawberry.type
class Order:
    id: int
    total: float


@strawberry.type
class Received:
    name: str
    size: int
    sha256: str


@strawberry.type
class Query:
    @strawberry.field
    def order(self, id: int) -> Order | None:
        if id < 1:
            raise failure("NOT_FOUND", f"There is no order {id}.")
        return Order(id=id, total=id * 1.5)

    @strawberry.field
    async def me(self, info: Info, crowd: str) -> str:
        """The user. The first twenty queries of a crowd are answered when all of them have come."""
        async with everybody_came:
            waiting[crowd] = waiting.get(crowd, 0) + 1
            everybody_came.notify_all()
            await asyncio.wait_for(everybody_came.wait_for(lambda: waiting[crowd] >= CROWD), 60)
        return user_of(info)

    @strawberry.field
    def renewals(self, user: str) -> int:
        return renewals.get(user, 0)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def renew(self, user: str) -> str:
        renewals[user] = renewals.get(user, 0) + 1
        return f"{user}-{renewals[user]}"

    @strawberry.mutation
    async def store(self, note: str, files: list[Upload]) -> list[Received]:
        found = [Received(name=note, size=0, sha256="")]
        for file in files:
            content = await file.read()
            found.append(Received(name=file.filename, size=len(content), sha256=hashlib.sha256(content).hexdigest()))
        return found


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int, failing_at: int = 0) -> AsyncGenerator[int, None]:
        for number in range(1, to + 1):
            if number == failing_at:
                raise failure("INTERNAL", f"{number} is unlucky.")
            yield number
            await asyncio.sleep(0.01)


def main() -> None:
    schema = strawberry.Schema(
        Query,
        Mutation,
        Subscription,
        config=StrawberryConfig(batching_config={"max_operations": 10}),
    )
    application = GraphQL(schema, multipart_uploads_enabled=True, subscription_protocols=[GRAPHQL_SSE_PROTOCOL])
    uvicorn.run(application, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
